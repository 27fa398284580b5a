import type { Exchange, Usage } from "../../adapter.ts";
import type { Capture } from "../capture.ts";
import type { RetrievedPage } from "../cited-pages.ts";
import { noUsage } from "../collected-answer.ts";
import { DamagedSources } from "../damaged-sources.ts";
import {
  countAt,
  type JsonObject,
  lenientObjectAt,
  objectAt,
  optionalListAt,
  optionalObjectAt,
  optionalTextAt,
  parsedObject,
  textAt,
  UnknownShape,
} from "../read-json.ts";

/** How far a task is. */
export const taskStates = ["QUEUED", "PROCESSING", "COMPLETED", "FAILED"] as const;
/** One of the closed list of states. */
export type TaskState = (typeof taskStates)[number];

/** The credits of a task, which its latest reply tells, as searches: Cloro counts nothing else. */
export function usageOf(exchanges: readonly Exchange[]): Usage {
  const credits = exchanges.map(({ reply }) => creditsOf(reply.body));
  const searches = credits.findLast((charged) => charged > 0) ?? 0;
  return { ...noUsage, searches, isTold: searches > 0 };
}

function creditsOf(body: string): number {
  try {
    return countAt(lenientObjectAt(parsedObject(body), "credits"), "creditsCharged");
  } catch {
    return 0;
  }
}

/** A task's id, which becomes a part of a path. */
export function taskIdOf(body: JsonObject): string {
  const id = textAt(objectAt(body, "task"), "id");
  if (!/^[\w-]{1,100}$/.test(id)) throw new UnknownShape("the id of the task is not one");
  return id;
}

/** How far the task of a reply is. */
export function stateOf(body: JsonObject): TaskState {
  const status = textAt(objectAt(body, "task"), "status");
  const state = taskStates.find((each) => each === status);
  if (state === undefined) throw new UnknownShape(`"${status}" is not a known state of a task`);
  return state;
}

/** Why a task failed, for people. */
export function faultOf(body: JsonObject): string {
  const response = lenientObjectAt(body, "response");
  const error = response?.["error"];
  const message = lenientObjectAt(response, "error")?.["message"] ?? error;
  return typeof message === "string" ? message : "no reason is given";
}

/** What the page of a task shows. Tasks have it as it is; other replies of Cloro in `result`. */
export function captureOf(body: JsonObject): Capture {
  const response = objectAt(body, "response");
  const page = optionalObjectAt(response, "result") ?? response;
  const plain = textAt(page, "text");
  const damaged = new DamagedSources();
  const sources = pagesOf(page, "sources", damaged);
  if (sources === null) throw new UnknownShape('the page lacks "sources"');
  // Pills are the links within the text; where a page has them, its list has more than it cites.
  const pills = pagesOf(page, "citationPills", damaged);
  const titles = new Map(sources.map(({ url, title }) => [url, title]));
  const cited = (pills ?? sources).map(({ url, title }) => ({
    ...{ url, title: titles.get(url) ?? title, span: null },
  }));
  return {
    text: optionalTextAt(page, "markdown") ?? plain,
    cited,
    retrieved: pills === null ? [] : sources,
    searchQueries: queriesOf(page),
    model: optionalTextAt(page, "model"),
    warnings: damaged.warnings,
  };
}

/** Null: the page has no such list. */
function pagesOf(
  page: JsonObject,
  field: string,
  damaged: DamagedSources,
): readonly RetrievedPage[] | null {
  const listed = optionalListAt(page, field);
  if (listed === null) return null;
  return listed.flatMap((each) => {
    const read = damaged.pageAt(each, "url", { title: "label" });
    return read === null ? [] : [{ ...read, title: read.title === "" ? null : read.title }];
  });
}

/** What the assistant searched for, by the names that pages give it. Lenient: few tell. */
function queriesOf(page: JsonObject): readonly string[] {
  const lists = [page["searchQueries"], page["search_model_queries"]];
  const queries = lists.find((list) => Array.isArray(list)) as readonly unknown[] | undefined;
  return (queries ?? []).filter((query) => typeof query === "string");
}
