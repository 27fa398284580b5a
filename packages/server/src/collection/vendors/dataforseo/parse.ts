import type { Provider } from "@sightline/contract";
import type { Exchange, Usage } from "../../adapter.ts";
import type { Capture } from "../capture.ts";
import type { CitedPage, Span } from "../cited-pages.ts";
import { noUsage } from "../collected-answer.ts";
import { DamagedSources } from "../damaged-sources.ts";
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
export function captureOf(task: JsonObject, provider: Provider): Capture | "later" | null {
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
  if (overview === undefined) {
    // A page of results may have no overview; one of AI Mode is the answer, whatever it is called.
    const [other] = provider === "GOOGLE_AI_MODE" ? items : [];
    if (other === undefined) return null;
    throw new UnknownShape(`"${textAt(other, "type")}" is not a known item of AI Mode`);
  }
  const text = textOf(overview);
  if (text === "" && overview["asynchronous_ai_overview"] === true) return "later";
  if (!Object.hasOwn(overview, "references")) {
    throw new UnknownShape('the answer lacks "references"');
  }
  const damaged = new DamagedSources();
  const whole = citedBy(overview, null, damaged);
  const cited = [...whole, ...citingParts(overview, text, damaged)];
  const { warnings } = damaged;
  return { text, cited, retrieved: [], searchQueries: [], model: null, warnings };
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
function citingParts(
  overview: JsonObject,
  text: string,
  damaged: DamagedSources,
): readonly CitedPage[] {
  let from = 0;
  return (optionalListAt(overview, "items") ?? []).flatMap((part) => {
    const markdown = optionalTextAt(part, "markdown") ?? "";
    const start = markdown === "" ? -1 : text.indexOf(markdown, from);
    const span = start === -1 ? null : { start, end: start + markdown.length };
    from = span?.end ?? from;
    return citedBy(part, span, damaged);
  });
}

/** The references of an answer or of a part of it, which may have none. */
function citedBy(
  holder: JsonObject,
  span: Span | null,
  damaged: DamagedSources,
): readonly CitedPage[] {
  const references = optionalListAt(holder, "references") ?? [];
  return damaged.pagesOf(references, "url").map((page) => ({ ...page, span }));
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
