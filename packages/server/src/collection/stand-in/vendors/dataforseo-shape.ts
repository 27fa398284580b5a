import { z } from "zod";
import { type StandInPage, type StandInSentence, textOf } from "../answers.ts";
import type { AskContext } from "../vendor-stand-in.ts";

/** What DataForSEO takes: one page a request. */
export const postSchema = z
  .array(
    z.looseObject({
      keyword: z.string().min(1).max(700),
      location_code: z.int().optional(),
      location_name: z.string().optional(),
      language_code: z.string().optional(),
      priority: z.int().min(1).max(2).optional(),
      tag: z.string().max(255).optional(),
      load_async_ai_overview: z.boolean().optional(),
    }),
  )
  .length(1);
/** What is asked of DataForSEO: one page. */
export type PostedPage = z.infer<typeof postSchema>[number];

/** Which kind of page. */
export type PageType = "ai_mode" | "organic";

/** A page that is captured, now or later. */
export interface Captured {
  readonly type: PageType;
  readonly posted: PostedPage;
  readonly isLive: boolean;
}

const version = "0.1.20261101";

/** The frame of every reply. */
export function envelope(shown: {
  readonly code: number;
  readonly message: string;
  readonly tasks: readonly { readonly cost: number; readonly status_code: number }[];
}) {
  const { code, message, tasks } = shown;
  return {
    version,
    status_code: code,
    status_message: message,
    time: "0.1 sec.",
    cost: tasks.reduce((sum, task) => sum + task.cost, 0),
    tasks_count: tasks.length,
    tasks_error: tasks.filter(({ status_code }) => status_code >= 40000).length,
    tasks,
  };
}

/** A reply about one task. */
export function taskOf(shown: {
  readonly id: string;
  readonly code: number;
  readonly message: string;
  /** In dollars. */
  readonly cost: number;
  /** Null: not known. */
  readonly captured: Captured | null;
  readonly result: readonly unknown[] | null;
}) {
  const { id, code, message, cost, captured, result } = shown;
  const asked = captured === null ? [] : ["v3", "serp", "google", captured.type];
  const task = {
    id,
    status_code: code,
    status_message: message,
    time: "0.1 sec.",
    cost,
    result_count: result?.length ?? 0,
    path: asked,
    data:
      captured === null
        ? {}
        : { api: "serp", se: "google", se_type: captured.type, ...captured.posted },
    result,
  };
  return envelope({ code: 20000, message: "Ok.", tasks: [task] });
}

type Context = AskContext & { readonly isLater: boolean; readonly isAbsent: boolean };

/** What a page showed: an overview, unless there is none, and what else was found. */
export function resultOf({ type, posted }: Captured, context: Context) {
  const { answer, isAbsent, now } = context;
  const organic = answer.retrieved.map(({ url, title, domain, snippet }, index) => ({
    type: "organic",
    rank_group: index + 1,
    rank_absolute: index + 2,
    domain,
    title,
    url,
    description: snippet,
  }));
  const overview = isAbsent ? [] : [overviewOf({ type, posted }, context)];
  const items = type === "ai_mode" ? overview : [...overview, ...organic];
  return {
    keyword: posted.keyword,
    type,
    se_domain: "google.com",
    location_code: posted.location_code ?? null,
    language_code: posted.language_code ?? null,
    check_url: `https://www.google.com/search?q=${encodeURIComponent(posted.keyword)}`,
    datetime: new Date(now)
      .toISOString()
      .replace("T", " ")
      .replace(/\.\d+Z$/, " +00:00"),
    item_types: [...new Set(items.map((item) => item.type))],
    items_count: items.length,
    items,
  };
}

function overviewOf({ type, posted }: Omit<Captured, "isLive">, { answer, isLater }: Context) {
  const place = { type: "ai_overview", rank_group: 1, rank_absolute: 1, position: "left" };
  const isOrganic = type === "organic";
  const later = isOrganic ? { asynchronous_ai_overview: isLater } : {};
  // Google loads it after the page, and nobody asked that this be waited for.
  if (isOrganic && isLater && posted.load_async_ai_overview !== true) {
    return { ...place, ...later, markdown: null, items: null, references: null };
  }
  const others = answer.retrieved.filter((page) => !answer.cited.includes(page)).slice(0, 2);
  return {
    ...place,
    ...later,
    markdown: textOf(answer.sentences),
    items: answer.sentences.map(elementOf),
    references: [...answer.cited, ...others].map(referenceOf),
  };
}

function elementOf({ text, pages }: StandInSentence) {
  return {
    type: "ai_overview_element",
    position: "left",
    title: null,
    text: text.replaceAll("**", ""),
    markdown: text,
    links: null,
    references: pages.length === 0 ? null : pages.map(referenceOf),
  };
}

function referenceOf({ url, title, domain, snippet }: StandInPage) {
  const place = { type: "ai_overview_reference", position: "left" };
  return { ...place, source: domain, domain, url, title, text: snippet };
}
