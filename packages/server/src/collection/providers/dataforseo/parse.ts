import type { Exchange, Usage } from "../../adapter.ts";
import type { Capture } from "../capture.ts";
import type { CitedPage, Span } from "../cited-pages.ts";
import { noUsage } from "../collected-answer.ts";
import {
  type JsonObject,
  listAt,
  optionalListAt,
  optionalTextAt,
  parsedObject,
  textAt,
  textsAt,
  UnknownShape,
} from "../read-json.ts";

/** The only task of a reply. */
export function taskOf(body: JsonObject): JsonObject {
  const [task, ...others] = listAt(body, "tasks");
  if (task === undefined || others.length > 0) {
    throw new UnknownShape("the reply is not of one task");
  }
  return task;
}

/** A status code of DataForSEO's own, of a reply or of its task. */
export function codeOf(holder: JsonObject): number {
  const code = holder["status_code"];
  if (typeof code === "number" && Number.isInteger(code)) return code;
  throw new UnknownShape('the reply lacks "status_code"');
}

/** What the replies so far cost, which each tells. Lenient: an answer is right whatever it cost. */
export function usageOf(exchanges: readonly Exchange[]): Usage {
  const costs = exchanges.map(({ reply }) => costOf(reply.body));
  const told = costs.filter((cost) => cost !== null);
  const searches = exchanges.filter(({ request, reply }) => {
    return request.isPaid && reply.status === 200;
  }).length;
  const used = { ...noUsage, searches, isTold: searches > 0 };
  if (told.length === 0) return used;
  const amount = told.reduce((sum, cost) => sum + cost, 0);
  return { ...used, cost: { amount, currency: "USD" } };
}

const costMax = 1_000;

function costOf(body: string): number | null {
  try {
    const cost = parsedObject(body)["cost"];
    const isCost = typeof cost === "number" && cost >= 0 && cost <= costMax;
    return isCost ? cost : null;
  } catch {
    return null;
  }
}

/** What the page of a task shows; null: no answer. "later": it would have, and did not load. */
export function captureOf(task: JsonObject): Capture | "later" | null {
  const [result, ...others] = listAt(task, "result");
  if (result === undefined || others.length > 0) {
    throw new UnknownShape("the task has not one result");
  }
  const items = listAt(result, "items");
  const overviews = items.filter((item) => textAt(item, "type") === "ai_overview");
  const isListed = textsAt(result, "item_types").includes("ai_overview");
  if (!Object.hasOwn(result, "item_types") || isListed !== overviews.length > 0) {
    throw new UnknownShape('"items" and "item_types" disagree');
  }
  if (overviews.length > 1) throw new UnknownShape("the page has several answers");
  const [overview] = overviews;
  if (overview === undefined) return null;
  const text = textOf(overview);
  if (text === "" && overview["asynchronous_ai_overview"] === true) return "later";
  const cited = [...pagesOf(overview, null), ...citingParts(overview, text)];
  return { text, cited, retrieved: [], searchQueries: [], model: null };
}

/** The answer as Markdown; where it is null, its parts'. */
function textOf(overview: JsonObject): string {
  if (!Object.hasOwn(overview, "markdown")) throw new UnknownShape('the answer lacks "markdown"');
  const markdown = optionalTextAt(overview, "markdown");
  if (markdown !== null) return markdown;
  const parts = (optionalListAt(overview, "items") ?? []).map((part) => {
    return optionalTextAt(part, "markdown") ?? optionalTextAt(part, "text") ?? "";
  });
  return parts.filter((part) => part !== "").join("\n\n");
}

/** The references of each part of the answer, which need not be among those of the whole. */
function citingParts(overview: JsonObject, text: string): readonly CitedPage[] {
  let from = 0;
  return (optionalListAt(overview, "items") ?? []).flatMap((part) => {
    const markdown = optionalTextAt(part, "markdown") ?? "";
    const start = markdown === "" ? -1 : text.indexOf(markdown, from);
    const span = start === -1 ? null : { start, end: start + markdown.length };
    from = span?.end ?? from;
    return pagesOf(part, span, "part");
  });
}

/** References; a part of an answer may lack the field, the answer may not. */
function pagesOf(
  holder: JsonObject,
  span: Span | null,
  of: "answer" | "part" = "answer",
): readonly CitedPage[] {
  if (of === "answer" && !Object.hasOwn(holder, "references")) {
    throw new UnknownShape('the answer lacks "references"');
  }
  return (optionalListAt(holder, "references") ?? []).map((reference) => ({
    url: textAt(reference, "url"),
    title: optionalTextAt(reference, "title"),
    span,
  }));
}

/** The id of a task, which becomes a part of a path. */
export function taskIdOf(task: JsonObject): string {
  const id = textAt(task, "id");
  if (!/^[\w-]{1,100}$/.test(id)) throw new UnknownShape("the id of the task is not one");
  return id;
}

/** What a reply says of itself, for people. */
export function messageOf(holder: JsonObject): string {
  const message = holder["status_message"];
  return typeof message === "string" ? message : "no reason is given";
}
