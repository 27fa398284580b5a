import assert from "node:assert/strict";
import { providers } from "@sightline/contract";
import type { TestReply, TestService } from "../test-service.ts";
import { assertClose } from "./close.ts";
import { idOf } from "./ids.ts";
import { expectedMarks } from "./marks.ts";
import {
  asksSources,
  type OracleAccount,
  type OracleAnswer,
  type OracleWorkspace,
  type Question,
  type SeriesQuestion,
} from "./model.ts";
import { decoy, namesOfEntities, neutralWords, phraseOf, sayings, shapedName } from "./names.ts";
import { expectedReply, expectedWorkspace } from "./oracle.ts";
import { pageAt } from "./pages.ts";
import {
  type QuestionDraft,
  type QuestionMaterial,
  questionOf,
  spelledInstant,
} from "./question-draft.ts";
import { saidNames } from "./said.ts";
import { type AnswerDraft, anchors, type VersionDraft, type WordDraft } from "./scenario.ts";
import { workspaceOf } from "./workspace-of.ts";

/** The id of a topic or prompt by its index. */
export type IdsOf = (kind: "topic" | "prompt", index: number) => string;

/** Of so many questions one is asked with counts too, if it is for a series. */
const countsEvery = 3;

/** What tells an account apart. */
export interface TrackedAccountOptions {
  readonly accountId: string;
  /** Part of every URL that its answers cite; "" for none. */
  readonly mark?: string;
  readonly ids?: IdsOf;
}

/** An account of the service, and beside it all that the oracle knows of it. */
export class TrackedAccount implements OracleAccount {
  readonly accountId: string;
  workspace: OracleWorkspace = { entities: [], topics: [], prompts: [] };
  answers: readonly OracleAnswer[] = [];
  importedAt: number | null = null;
  token = "";
  readonly mark: string;
  readonly #ids: IdsOf;
  /** Every prompt that a workspace file ever named. */
  readonly #declared = new Set<string>();
  readonly #recorded = new Map<string, object>();
  #drafted = 0;
  #asked = 0;

  constructor({ accountId, mark = "", ids = idOf }: TrackedAccountOptions) {
    this.accountId = accountId;
    this.mark = mark;
    this.#ids = ids;
  }

  async apply(service: TestService, version: VersionDraft): Promise<void> {
    await this.declare(service, version);
    await service.settle(this.accountId);
  }

  /** Applies a version without waiting until it counts. */
  async declare(service: TestService, version: VersionDraft): Promise<void> {
    const { file, workspace } = workspaceOf(version, this.#ids);
    const accountId = await service.apply({
      account: { id: this.accountId, name: "Random" },
      ...file,
    });
    assert.equal(accountId, this.accountId);
    this.workspace = workspace;
    for (const { id } of workspace.prompts) this.#declared.add(id);
  }

  /** Imports answers after some lines of former imports, which must change nothing. */
  async import(
    service: TestService,
    drafts: readonly AnswerDraft[],
    repeated: number,
  ): Promise<void> {
    await this.record(service, drafts, repeated);
    await service.settle(this.accountId);
  }

  /** Imports without waiting until the answers count. */
  async record(
    service: TestService,
    drafts: readonly AnswerDraft[],
    repeated: number,
  ): Promise<void> {
    const again = [...this.#recorded.values()].slice(0, repeated);
    const fresh = drafts.map((draft) => this.#answerOf(draft));
    const kept = fresh.filter(({ answer }) => this.#declared.has(answer.promptId));
    for (const { answer, line } of kept) this.#recorded.set(answer.id, line);
    const twice = kept.slice(0, repeated).map(({ line }) => line);
    const lines = [...again, ...fresh.map(({ line }) => line), ...twice];
    if (kept.length > 0) this.importedAt = service.clock.now();
    const tally = await service.record(this.accountId, lines);
    assert.deepEqual(tally, {
      accepted: kept.length,
      duplicates: again.length + twice.length,
      rejected: fresh.length - kept.length,
      warnings: 0,
    });
    this.answers = [...this.answers, ...kept.map(({ answer }) => answer)];
  }

  /** @param unknownIds the ids that stand where a draft wants one that the account lacks. */
  question(draft: QuestionDraft, unknownIds: IdsOf = unknownIdOf): Question {
    return questionOf(draft, this.#material(unknownIds));
  }

  /** Asks the service, and requires exactly what the oracle says. @returns the service's reply. */
  async ask(service: TestService, question: Question): Promise<TestReply> {
    const reply = await askService(service, this.token, question);
    const expected = expectedReply(this, question);
    if (expected === null) assert.equal(reply.status, 400, reply.body);
    else {
      assert.equal(reply.status, 200, reply.body);
      assert.deepStrictEqual(reply.json(), expected, JSON.stringify(question));
    }
    this.#asked += 1;
    if (!asksSources(question) && this.#asked % countsEvery === 0) {
      await this.#askCounts(service, question);
    }
    return reply;
  }

  /** Asks the same with counts. */
  async #askCounts(service: TestService, question: SeriesQuestion): Promise<void> {
    const isSaid = this.#asked % (2 * countsEvery) === 0;
    const said = isSaid ? (saidNames[this.#asked % saidNames.length] ?? null) : null;
    const metric = said ?? question.operation.replace("brands/", "");
    const body = { metric, ...question.body, include: ["marks"] };
    const reply = await service.post("/v1/insights/series", { token: this.token, body });
    const expected = expectedMarks(this, question, said);
    assert.equal(reply.status, expected === null ? 400 : 200, reply.body);
    if (expected !== null) assertClose(reply.json(), expected, JSON.stringify(body));
  }

  /** Asks what the workspace is, and requires exactly what the oracle says. */
  async askWorkspace(service: TestService): Promise<void> {
    const headers = { authorization: `Bearer ${this.token}` };
    const reply = await service.request("GET", "/v1/workspace", { headers });
    assert.equal(reply.status, 200, reply.body);
    assert.deepStrictEqual(reply.json(), expectedWorkspace(this, providers));
  }

  #material(unknownIds: IdsOf): QuestionMaterial {
    const idFor = (kind: "topic" | "prompt") => (draft: QuestionIdDraft) => {
      const id = (draft.unknown ? unknownIds : this.#ids)(kind, draft.index);
      return draft.upper ? id.toUpperCase() : id;
    };
    const times = this.answers.map(({ at }) => at);
    return {
      moments: times.length === 0 ? anchors.slice(0, 1) : times,
      topicId: idFor("topic"),
      promptId: idFor("prompt"),
    };
  }

  #answerOf(draft: AnswerDraft): { readonly line: object; readonly answer: OracleAnswer } {
    const number = this.#drafted;
    this.#drafted += 1;
    const promptId = this.#ids("prompt", draft.prompt);
    const { provider, region, at, outcome, model, surface } = draft;
    const id = idOf("answer", number);
    const citations = draft.citations.map(({ page, spelling, cited }) => ({
      page: pageAt(page, this.mark),
      spelling,
      cited,
    }));
    const text = withLetter(draft.words.map(wordOf).join(" "));
    const line = {
      ...(draft.ownId === "no" ? { sample: number } : {}),
      ...(draft.ownId === "lower" ? { id } : {}),
      ...(draft.ownId === "upper" ? { id: id.toUpperCase() } : {}),
      promptId,
      provider,
      ...(region === null ? {} : { region }),
      answeredAt: spelledInstant(at, { offset: draft.offset, lower: false, fraction: "full" }),
      ...(outcome === "answered" ? {} : { outcome }),
      ...(model === null ? {} : { model }),
      ...(surface === null ? {} : { surface }),
      text,
      citations: citations.map(({ page, spelling, cited }) => ({
        url: page.spelled(spelling),
        ...(cited === null ? {} : { cited }),
      })),
    };
    const answer: OracleAnswer = {
      id,
      promptId,
      provider,
      region: region?.toUpperCase() ?? null,
      at,
      outcome,
      model,
      surface,
      text,
      named: draft.words.flatMap((word) => {
        if (word.kind === "phrase") {
          return [{ ...nameAt(word.name), phrase: phraseOf(nameAt(word.name)) }];
        }
        return word.kind === "name" || word.kind === "said" ? [nameAt(word.name)] : [];
      }),
      cited: citations.filter(({ cited }) => cited !== false).map(({ page }) => page),
    };
    return { line, answer };
  }
}

/** An answer without any letter is rejected. */
function withLetter(text: string): string {
  return /\p{L}/u.test(text) ? text : `${text} none`;
}

/** An id that no account has. */
const unknownIdOf: IdsOf = (_, index) => idOf("unknown", index);

type QuestionIdDraft = Parameters<QuestionMaterial["topicId"]>[0];

/** Sends a question with a session token. */
export function askService(
  service: TestService,
  token: string,
  { operation, body }: Question,
): Promise<TestReply> {
  return service.post(`/v1/analytics/${operation}`, { token, body });
}

function wordOf(word: WordDraft): string {
  switch (word.kind) {
    case "name":
      return shapedName(nameAt(word.name), word.shape);
    case "decoy":
      return decoy(nameAt(word.name), word.shape);
    case "phrase":
      return phraseOf(nameAt(word.name));
    case "said":
      return sayings[word.index % sayings.length]?.(nameAt(word.name).text) ?? "";
    case "neutral":
      return neutralWords[word.index % neutralWords.length] ?? "the";
  }
}

function nameAt([entity, name]: readonly [number, number]) {
  return namesOfEntities[entity]?.[name] ?? { text: "Zorvex", caseSensitive: false };
}
