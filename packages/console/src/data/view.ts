import type {
  ContributionGrouping,
  EvidenceRole,
  Interval,
  MetricName,
  Provider,
  Surface,
} from "@sightline/client";
import { type PeriodName, periodNames } from "@sightline/contract/period-names";
import { providerNames } from "@sightline/contract/providers";
import { flagOrder, surfaceNames } from "./names.ts";

/** The pages, in the order of the bar. */
export const pages = ["overview", "portrayal", "sources", "prompts", "setup", "accounts"] as const;
/** One of the pages. */
export type PageName = (typeof pages)[number];

/** Two UTC dates such as 2026-01-31, both inside the period. */
export interface Dates {
  readonly first: string;
  readonly last: string;
}

/** Which answers the evidence shows. */
export interface EvidenceAddress {
  readonly role: EvidenceRole;
  /** Null: any tracked entity. */
  readonly entityId: string | null;
  /** A part of the period, where a point of the chart was opened. */
  readonly dates: Dates | null;
  /** Null: all prompts that pass the filters. */
  readonly promptId: string | null;
  /** Narrows them to a part of a change; null: all that pass the filters. */
  readonly part: EvidencePart | null;
}

/** A part of the answers, by what a change is divided by; of a prompt there is `promptId`. */
export interface EvidencePart {
  readonly by: "topic" | "provider" | "region" | "domain" | "url" | "model" | "surface" | "tag";
  /** An id, a code, a name, a domain or the URL of a page. */
  readonly key: string;
}

/** What the panel that explains a change shows. */
export interface WhyAddress {
  readonly metric: MetricName;
  /** Null: the brand. */
  readonly entityId: string | null;
  /** What the change is divided by. */
  readonly by: ContributionGrouping;
}

/** What the panel plans: how much data shows a change. */
export interface PlanAddress {
  readonly metric: MetricName;
  /** Null: the brand. */
  readonly entityId: string | null;
  /** A fraction, or places of a rank. Null: what the service plans unless said. */
  readonly change: number | null;
}

/** What the filters of a view leave out, each in the place of what it lets pass. */
export interface Excluded {
  readonly providers: readonly Provider[];
  readonly topics: readonly string[];
  readonly prompts: readonly string[];
  readonly regions: readonly string[];
  /** By their names as answers have them. */
  readonly models: readonly string[];
  readonly surfaces: readonly Surface[];
  /** Of prompts. */
  readonly tags: readonly string[];
}

/** Everything that a page shows and that its address therefore says. */
export interface View {
  /** Null: the first account that is signed in. */
  readonly account: string | null;
  readonly page: PageName;
  readonly period: PeriodName | Dates;
  /** previous: the period before; year-ago: the same then; a date: the period that it chooses. */
  readonly compare: "previous" | "year-ago" | "none" | string;
  readonly providers: readonly Provider[];
  /** Ids. With prompts: those of the prompts that have one of the topics. */
  readonly topics: readonly string[];
  readonly prompts: readonly string[];
  readonly regions: readonly string[];
  readonly models: readonly string[];
  readonly surfaces: readonly Surface[];
  readonly tags: readonly string[];
  readonly branded: boolean | null;
  readonly excluded: Excluded;
  readonly metric: MetricName;
  /** Null: what suits the period. */
  readonly interval: Interval | null;
  /** Ids of the entities that the chart brings out. */
  readonly only: readonly string[];
  /** Null: the drawer is shut. */
  readonly evidence: EvidenceAddress | null;
  /** The answer that is open in the drawer. */
  readonly answer: string | null;
  /** The change that is explained, behind open evidence; null: none. */
  readonly why: WhyAddress | null;
  /** What is planned, before a change that is explained; null: nothing. */
  readonly plan: PlanAddress | null;
  /** What a page keeps for itself, such as a tab, a search or a page number. */
  readonly own: Readonly<Record<string, string>>;
}

/** What a page is without anything in its address. */
export const plainView: View = {
  account: null,
  page: "overview",
  period: "12w",
  compare: "previous",
  providers: [],
  topics: [],
  prompts: [],
  regions: [],
  models: [],
  surfaces: [],
  tags: [],
  branded: null,
  excluded: {
    providers: [],
    topics: [],
    prompts: [],
    regions: [],
    models: [],
    surfaces: [],
    tags: [],
  },
  metric: "mentions",
  interval: null,
  only: [],
  evidence: null,
  answer: null,
  why: null,
  plan: null,
  own: {},
};

const metricNames = ["mentions", "overall-visibility", "citations", "rank"] as const;
const intervalNames = ["daily", "weekly", "monthly"] as const;
const roles = [
  ...(["mentioned", "cited", "visible", "notVisible", "any"] as const),
  ...(["both", "mentionedOnly", "citedOnly"] as const),
  ...flagOrder,
] as const;
const groupings = [
  ...(["prompt", "topic", "tag", "provider", "model", "surface", "region", "domain"] as const),
] as const;
const datePattern = /^\d{4}-\d\d-\d\d$/;
const rangePattern = /^(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)$/;
const ownPrefix = "_";

/** The view that a search part means. What it does not know is left out, never an error. */
export function viewOf(search: string): View {
  const given = new URLSearchParams(search);
  const list = (name: string) => (given.get(name) ?? "").split(",").filter((each) => each !== "");
  const oneOf = <T extends string>(name: string, allowed: readonly T[]): T | undefined =>
    allowed.find((each) => each === given.get(name));
  const compare = given.get("compare") ?? "previous";
  const branded = oneOf("branded", ["true", "false"] as const);
  const own = [...given].filter(([name]) => name.startsWith(ownPrefix));
  const passing = listsOf(list);
  const excluded = listsOf((name) => list(`not-${name}`));
  return {
    account: given.get("account") || null,
    page: oneOf("page", pages) ?? plainView.page,
    period: datesOf(given.get("period")) ?? oneOf("period", periodNames) ?? plainView.period,
    compare: ["none", "year-ago"].includes(compare) || isDate(compare) ? compare : "previous",
    ...passing,
    branded: branded === undefined ? null : branded === "true",
    excluded: {
      providers: passing.providers.length > 0 ? [] : excluded.providers,
      topics: passing.topics.length > 0 ? [] : excluded.topics,
      prompts: passing.prompts.length > 0 ? [] : excluded.prompts,
      regions: passing.regions.length > 0 ? [] : excluded.regions,
      models: passing.models.length > 0 ? [] : excluded.models,
      surfaces: passing.surfaces.length > 0 ? [] : excluded.surfaces,
      tags: passing.tags.length > 0 ? [] : excluded.tags,
    },
    metric: oneOf("metric", metricNames) ?? plainView.metric,
    interval: oneOf("interval", intervalNames) ?? null,
    only: list("only"),
    evidence: evidenceOf(given.get("evidence")),
    answer: given.get("answer") || null,
    why: whyOf(given.get("why")),
    plan: planOf(given.get("plan")),
    own: Object.fromEntries(own.map(([name, value]) => [name.slice(1), value])),
  };
}

/** The filters of which several may be chosen; `list` reads one by its name. */
function listsOf(list: (name: string) => readonly string[]): Excluded {
  return {
    providers: list("providers").filter(isProvider),
    topics: list("topics"),
    prompts: list("prompts"),
    regions: list("regions")
      .filter((code) => /^[a-z]{2}$/i.test(code))
      .map((code) => code.toUpperCase()),
    models: list("models").map(unescapedComma),
    surfaces: list("surfaces").filter(isSurface),
    tags: list("tags").map(unescapedComma),
  };
}

/** A list is separated by commas, which a model's name and a tag may have. */
const escapedComma = (name: string): string => name.replaceAll("%", "%25").replaceAll(",", "%2C");

const unescapedComma = (name: string): string => name.replaceAll("%2C", ",").replaceAll("%25", "%");

/** The search part of a view; what is as in the plain one is left out. */
export function searchOf(view: View): string {
  const { period, evidence, branded, excluded, why, plan } = view;
  const texts: readonly (readonly [string, string | null])[] = [
    ["account", view.account],
    ["page", view.page],
    ["period", typeof period === "string" ? period : textOf(period)],
    ["compare", view.compare],
    ["providers", view.providers.join(",")],
    ["topics", view.topics.join(",")],
    ["prompts", view.prompts.join(",")],
    ["regions", view.regions.join(",")],
    ["models", view.models.map(escapedComma).join(",")],
    ["surfaces", view.surfaces.join(",")],
    ["tags", view.tags.map(escapedComma).join(",")],
    ["branded", branded === null ? null : String(branded)],
    ...Object.entries({
      ...excluded,
      models: excluded.models.map(escapedComma),
      tags: excluded.tags.map(escapedComma),
    }).map(([name, each]) => [`not-${name}`, each.join(",")] as const),
    ["metric", view.metric],
    ["interval", view.interval],
    ["only", view.only.join(",")],
    ["evidence", evidence === null ? null : evidenceText(evidence)],
    ["answer", view.answer],
    ["why", why === null ? null : whyText(why)],
    ["plan", plan === null ? null : planText(plan)],
    ...Object.entries(view.own).map(([name, text]) => [`${ownPrefix}${name}`, text] as const),
  ];
  const said = texts.filter(([name, text]) => {
    return text !== null && text !== "" && text !== plainView[name as keyof View];
  });
  // Commas and dots are legal in a search part and easier to read than their escapes.
  const search = new URLSearchParams(said.map(([name, text]) => [name, text ?? ""])).toString();
  return search === "" ? "" : `?${search.replaceAll("%2C", ",")}`;
}

const textOf = ({ first, last }: Dates): string => `${first}..${last}`;
const isSurface = (text: string): text is Surface => Object.hasOwn(surfaceNames, text);
const isProvider = (text: string): text is Provider => Object.hasOwn(providerNames, text);

/** A date that there is: JavaScript takes 31 February for 3 March. */
function isDate(text: string): boolean {
  const ms = datePattern.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

function datesOf(text: string | null): Dates | null {
  const [, first, last] = rangePattern.exec(text ?? "") ?? [];
  if (first === undefined || last === undefined || first > last) return null;
  return isDate(first) && isDate(last) ? { first, last } : null;
}

/** `role`, then what narrows it: e.<entity>, d.<dates>, p.<prompt>, or such as topic.<id>. */
function evidenceText({ role, entityId, dates, promptId, part }: EvidenceAddress): string {
  return [
    role,
    ...(entityId === null ? [] : [`e.${entityId}`]),
    ...(dates === null ? [] : [`d.${textOf(dates)}`]),
    ...(promptId === null ? [] : [`p.${promptId}`]),
    ...(part === null ? [] : [`${part.by}.${part.key.replaceAll(separator, escaped)}`]),
  ].join(separator);
}

function evidenceOf(text: string | null): EvidenceAddress | null {
  const [first, ...rest] = (text ?? "").split(separator);
  const role = roles.find((each) => each === first);
  if (role === undefined) return null;
  const by = evidenceParts.find((each) => partOf(rest, each) !== null);
  const key = by === undefined ? null : partOf(rest, by);
  return {
    role,
    entityId: partOf(rest, "e"),
    dates: datesOf(partOf(rest, "d")),
    promptId: partOf(rest, "p"),
    part: by === undefined || key === null ? null : { by, key: key.replaceAll(escaped, separator) },
  };
}

/** `metric`, then e.<entity> and by.<what the change is divided by>. */
function whyText({ metric, entityId, by }: WhyAddress): string {
  const entity = entityId === null ? [] : [`e.${entityId}`];
  return [metric, ...entity, `by.${by}`].join(separator);
}

function whyOf(text: string | null): WhyAddress | null {
  const [first, ...rest] = (text ?? "").split(separator);
  const metric = metricNames.find((each) => each === first);
  if (metric === undefined) return null;
  const by = groupings.find((each) => each === partOf(rest, "by")) ?? "prompt";
  return { metric, entityId: partOf(rest, "e"), by };
}

/** `metric`, then e.<entity> and c.<the change>. */
function planText({ metric, entityId, change }: PlanAddress): string {
  const entity = entityId === null ? [] : [`e.${entityId}`];
  return [metric, ...entity, ...(change === null ? [] : [`c.${change}`])].join(separator);
}

function planOf(text: string | null): PlanAddress | null {
  const [first, ...rest] = (text ?? "").split(separator);
  const metric = metricNames.find((each) => each === first);
  if (metric === undefined) return null;
  const change = Number(partOf(rest, "c") ?? Number.NaN);
  const isChange = change > 0 && change <= plannedMax(metric);
  return { metric, entityId: partOf(rest, "e"), change: isChange ? change : null };
}

/** The greatest change that can be planned. */
export const plannedMax = (metric: MetricName): number => (metric === "rank" ? 100 : 1);

const separator = "~";
/** In place of a separator in a page's URL, which never has a space. */
const escaped = " ";
const evidenceParts = [
  ...(["topic", "provider", "region", "domain", "url", "model", "surface", "tag"] as const),
] as const;

/** What follows `name.` in the part that begins so; null: there is none, or nothing follows. */
function partOf(parts: readonly string[], name: string): string | null {
  const found = parts.find((each) => each.startsWith(`${name}.`));
  return found?.slice(name.length + 1) || null;
}
