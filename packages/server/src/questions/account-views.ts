import type { EmptyReason } from "@sightline/contract";
import { entitiesOf, revisionOf } from "../accounts/account-store.ts";
import type { DeclaredPart, DeclaredWorkspaces } from "../accounts/declared-workspaces.ts";
import { progressOf } from "../accounts/progress-store.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import { codesOf } from "../facts/codes.ts";
import type { FactsEngine, FactsState } from "../facts/engine.ts";
import { bucketsOf } from "../facts/plan/buckets.ts";
import { type Codes, planTimeSeries } from "../facts/plan/plan.ts";
import type { Selection } from "../facts/plan/question.ts";
import type { SeriesEntity } from "../facts/plan/series.ts";
import { factsVersion, type Snapshot } from "../facts/snapshot.ts";
import { ServiceError } from "../platform/service-error.ts";
import { type PromptTags, promptTagsOf } from "./prompt-tags.ts";

/** The facts that a question is planned by. */
interface AccountFactsView {
  readonly generation: string;
  readonly codes: Codes;
  readonly snapshot: Snapshot;
  /** Null: they were not asked for. */
  readonly tags: PromptTags | null;
}

/** What a question is planned by. */
export interface AccountView {
  /** Null: there are none yet, so that nothing is asked of the engine. */
  readonly facts: AccountFactsView | null;
  /** In the order of the series. */
  readonly entities: readonly SeriesEntity[];
}

/** What an account's questions are planned by: its facts, or its workspace before the first. */
export class AccountViews {
  readonly #engine: FactsEngine;
  readonly #control: ControlEngine;
  readonly #workspaces: DeclaredWorkspaces;
  /** Of the workspaces that are kept. */
  readonly #tags = new WeakMap<DeclaredPart, Map<Snapshot, Promise<PromptTags>>>();

  constructor(engine: FactsEngine, control: ControlEngine, workspaces: DeclaredWorkspaces) {
    this.#engine = engine;
    this.#control = control;
    this.#workspaces = workspaces;
  }

  /** Generation and watermark; before the first facts the workspace's revision. Null: not ready. */
  async version(accountId: string): Promise<string | null> {
    const state = await this.#todaysState(accountId);
    if (state !== null) return `${state.generation}/${state.mark.sequence}`;
    const revision = await this.#revisionBeforeFacts(accountId);
    return revision === null ? null : `workspace/${revision}`;
  }

  /** @throws ServiceError facts_not_ready when the facts were lost, and are not built yet. */
  async view(accountId: string, withTags: boolean): Promise<AccountView> {
    const state = await this.#todaysState(accountId);
    if (state !== null) {
      const { generation, snapshot } = state;
      const { entities } = snapshot;
      const known = await codesOf(snapshot);
      const tags = withTags ? await this.#tagsOf(accountId, snapshot) : null;
      const codes = tags === null ? known : { ...known, tagged: tags.promptsOf };
      return { facts: { generation, codes, snapshot, tags }, entities };
    }
    if ((await this.#revisionBeforeFacts(accountId)) === null) throw notReady();
    return { facts: null, entities: await entitiesOf(this.#control, accountId) };
  }

  async #tagsOf(accountId: string, snapshot: Snapshot): Promise<PromptTags> {
    const revision = await revisionOf(this.#control, accountId);
    const { part } = await this.#workspaces.of(accountId, revision);
    const known = this.#tags.get(part) ?? new Map<Snapshot, Promise<PromptTags>>();
    const tags = known.get(snapshot) ?? promptTagsOf(part.prompts, snapshot);
    // Facts that were replaced are not asked again.
    this.#tags.set(part, new Map([[snapshot, tags]]));
    return tags;
  }

  /** Facts of another version have other tables: they answer nothing until they are rebuilt. */
  async #todaysState(accountId: string): Promise<FactsState | null> {
    const state = await this.#engine.state(accountId);
    return state?.snapshot.factsVersion === factsVersion ? state : null;
  }

  /** Of an account without answers, or whose first import has just begun; null: of another. */
  async #revisionBeforeFacts(accountId: string): Promise<number | null> {
    const progress = await progressOf(this.#control, accountId);
    const isKnown = progress !== null && progress.recorded !== null;
    const isNew = isKnown && (progress.recorded.sequence === 0 || !progress.hadFacts);
    return isNew ? progress.revision : null;
  }
}

/** The refusal of a question to facts that are being built. */
export function notReady(): ServiceError {
  return new ServiceError(
    "facts_not_ready",
    "The account's facts are being built from its recorded answers. Retry shortly.",
    { headers: { "Retry-After": "1" } },
  );
}

/** What kind of nothing a reply is, and when the account has answers. */
export interface Emptiness {
  readonly reason: EmptyReason;
  /** When the account's first answer was given, in milliseconds since 1970; null: there is none. */
  readonly firstMs: number | null;
  readonly lastMs: number | null;
}

/** The part of a reply that says why it is empty. */
export function emptyPart(empty: Emptiness | null) {
  if (empty === null) return null;
  const { reason, firstMs, lastMs } = empty;
  return { reason, first: dateTime(firstMs), last: dateTime(lastMs) };
}

function dateTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** Facts that gave nothing, or nothing that names a tracked entity. */
export interface Asked {
  readonly engine: FactsEngine;
  readonly accountId: string;
  readonly facts: AccountView["facts"];
  readonly signal: AbortSignal;
}

const noAnswers: Emptiness = { reason: "noAnswers", firstMs: null, lastMs: null };

/**
 * Which kind of nothing it is.
 * @param found what is known to be the reason: answers pass the filters.
 */
export async function emptinessOf(
  { engine, accountId, facts, signal }: Asked,
  selection: Selection,
  found: "uninformative" | "uncited" | null,
): Promise<Emptiness> {
  if (facts === null) return noAnswers;
  const { generation, codes } = facts;
  const { firstMs, lastMs } = await engine.coverage(accountId, generation, signal);
  if (firstMs === null || lastMs === null) return noAnswers;
  if (found !== null) return { reason: found, firstMs, lastMs };
  const hasAnswers = async (asked: Selection) => {
    // Nothing lies outside: a range of ten thousand years has no more months than the answers.
    const fromMs = Math.max(asked.fromMs, firstMs);
    const toMs = Math.min(asked.toMs, lastMs + 1);
    if (fromMs >= toMs) return false;
    const buckets = bucketsOf("monthly", fromMs, toMs);
    const question = {
      metric: "mentions",
      selection: { ...asked, fromMs, toMs },
      buckets,
    } as const;
    // No entities: the answers themselves are entity 0.
    const plan = planTimeSeries(question, { codes, entities: 0 });
    if (plan === null) return false;
    const [sums] = await engine.series(accountId, { generation, plan }, signal);
    return sums?.some((answers) => answers > 0) ?? false;
  };
  const { fromMs, toMs } = selection;
  if (!(await hasAnswers({ ...noFilters, fromMs, toMs }))) {
    return { reason: "outsideRange", firstMs, lastMs };
  }
  const isAsked = await hasAnswers({ ...selection, fromMs: firstMs, toMs: lastMs + 1 });
  return { reason: isAsked ? "notTrackedThen" : "filteredOut", firstMs, lastMs };
}

const noFilters: Omit<Selection, "fromMs" | "toMs"> = {
  providers: null,
  topicIds: null,
  promptIds: null,
  regions: null,
  models: null,
  surfaces: null,
  tags: null,
  branded: null,
  exclude: null,
};
