import type {
  EvidenceAnswer,
  EvidenceQuestion,
  Sightline,
  WorkspaceResponse,
} from "@sightline/client";
import { faultText } from "../../data/fault-text.ts";
import { sent } from "../../data/filters.ts";
import { countOf, countText } from "../../data/format.ts";
import { providerName } from "../../data/names.ts";
import { type Cell, type CsvForm, saveCsv } from "../../parts/csv.ts";
import { announce } from "../../parts/save.ts";
import { fileName, tableTexts } from "../described.ts";

/** The most answers of a file: a page of them is a call, and a text may be long. */
const savedMax = 10_000;
/** Answers of a call. */
const perCall = 100;
/** Spreadsheets cut a cell at 32,767 characters, some into the next row. */
const textMax = 32_000;

interface Saved {
  readonly client: Sightline;
  /** The account's name. */
  readonly owner: string;
  readonly workspace: WorkspaceResponse;
  readonly asked: EvidenceQuestion;
  /** What the list is of, in a sentence, and what that means. */
  readonly title: string;
  readonly definition: string;
  readonly form: CsvForm;
}

/** Saves the answers of a list, all of its pages up to `savedMax`, newest first. */
export async function saveAnswers(saved: Saved): Promise<void> {
  const { client, owner, workspace, asked, title, definition, form } = saved;
  try {
    const { answers, total } = await allAnswers(client, asked);
    const isPart = answers.length < total;
    const { filters, role } = asked;
    const what = `answers ${roleWords[role ?? "any"]}${isPart ? ` first ${answers.length}` : ""}`;
    const file = { owner, what, filters, workspace };
    const n = isPart
      ? `the newest ${countText(answers.length)} of ${countOf(total, "answer")}`
      : countOf(total, "answer");
    const about = tableTexts({ ...file, title, n, definitions: [definition] });
    saveCsv({ name: fileName(file), about, rows: answerRows(answers, workspace) }, form);
    if (isPart) announce(`Saved ${n}: a file has at most ${countText(savedMax)}. Use filters.`);
  } catch (error) {
    announce(`The answers could not be loaded: ${faultText(error)}`);
  }
}

const roleWords = {
  mentioned: "mentioned",
  cited: "cited",
  visible: "visible",
  notVisible: "not visible",
  any: "",
  both: "mentioned and cited",
  mentionedOnly: "mentioned and not cited",
  citedOnly: "cited and not mentioned",
  recommended: "recommended",
  praised: "praised",
  criticized: "criticized",
  discouraged: "discouraged",
  notFound: "not found",
} as const;

async function allAnswers(client: Sightline, asked: EvidenceQuestion) {
  const answers: EvidenceAnswer[] = [];
  let cursor: string | null = "";
  let total = 0;
  while (cursor !== null && answers.length < savedMax) {
    const after: { cursor?: string } = cursor === "" ? {} : { cursor };
    const page = await client.evidence({ ...sent(asked), limit: perCall, ...after });
    answers.push(...page.answers);
    total = page.total;
    cursor = page.nextCursor;
  }
  return { answers, total: Math.max(total, answers.length) };
}

const head = [
  ...["answeredAt", "provider", "model", "surface", "region", "promptId", "prompt", "topic"],
  ...["answerId", "mentioned", "citations", "text"],
];

/** A row for each answer; names and URLs that are several stand in one cell. */
function answerRows(
  answers: readonly EvidenceAnswer[],
  { brand, competitors, prompts, topics }: WorkspaceResponse,
): readonly (readonly Cell[])[] {
  const names = new Map([brand, ...competitors].map(({ id, name }) => [id, name]));
  const byId = new Map(prompts.map((prompt) => [prompt.id, prompt]));
  const topicNames = new Map(topics.map(({ id, name }) => [id, name]));
  const rows = answers.map((answer) => {
    const { answeredAt, provider, model, surface, region, promptId, id, text } = answer;
    const prompt = byId.get(promptId);
    const mentioned = answer.mentionedEntityIds.map((each) => names.get(each) ?? each);
    const cited = answer.citations.filter(({ counted }) => counted);
    return [
      ...[answeredAt, providerName(provider), model, surface, region, promptId],
      ...[prompt?.text ?? null, topicNames.get(prompt?.topicId ?? "") ?? null, id],
      ...[mentioned.join(", "), cited.map((each) => each.canonicalUrl ?? each.url).join(" ")],
      answer.textRemoved ? null : text,
    ].map((cell) => (typeof cell === "string" ? cut(cell) : cell));
  });
  return [head, ...rows];
}

const cut = (text: string): string =>
  text.length <= textMax ? text : `${text.slice(0, textMax)} … (${text.length} characters)`;
