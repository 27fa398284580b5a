import {
  type ComparedRange,
  comparisonOfText,
  dayMs,
  type InstantRange,
  type LinkView,
  metrics,
  periodOfText,
  periodTexts,
  rangeBefore,
  rangeFrom,
  rangeOfPeriod,
  rangeYearAgo,
  type Surface,
  type WorkspaceResponse,
} from "@sightline/contract";

/** What a view shows today. */
export interface ShownView {
  readonly range: InstantRange;
  /** What it is compared with, or why it cannot be; null: with nothing. */
  readonly compared: ComparedRange | null;
}

/** The ranges of a view, by the account's answers and the time. */
export function shownView(
  { period, compare = "previous" }: LinkView,
  { first, last }: Pick<WorkspaceResponse["answers"], "first" | "last">,
  nowMs: number,
): ShownView {
  const range = rangeOfText(period, { first, last }, nowMs);
  return { range, compared: comparedWith(compare, range) };
}

function rangeOfText(
  text: string,
  { first, last }: Pick<WorkspaceResponse["answers"], "first" | "last">,
  nowMs: number,
): InstantRange {
  const period = periodOfText(text);
  if (period === null) throw new Error(`a stored view has the period ${text}`);
  if (typeof period === "string") {
    const covered = { firstMs: instantOrNull(first), lastMs: instantOrNull(last) };
    return rangeOfPeriod(period, covered, nowMs);
  }
  return { fromMs: dateMs(period.first), toMs: dateMs(period.last) + dayMs };
}

function comparedWith(text: string, range: InstantRange): ComparedRange | null {
  const comparison = comparisonOfText(text);
  switch (comparison) {
    case "none":
    case null:
      return null;
    case "previous":
      return rangeBefore(range);
    case "year-ago":
      return rangeYearAgo(range);
    default:
      return rangeFrom(comparison, range);
  }
}

/** The filters of a question over a range, as the service takes them. */
export function questionFilters({ filters = {} }: LinkView, { fromMs, toMs }: InstantRange) {
  const timeRange = { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
  return { ...filters, timeRange };
}

/** What is tracked, as far as a view's filters name it. */
type Named = Pick<WorkspaceResponse, "topics" | "prompts">;

/** The most names of a filter that a sentence lists. */
const listedMax = 12;

/** What a view is of, in sentences: its days, what it is compared with, and each filter. */
export function viewSentences(
  view: LinkView,
  { range, compared }: ShownView,
  workspace: Named,
): readonly string[] {
  const { filters = {}, exclude = {} } = view;
  return [
    `${periodSentence(view.period, range)}${comparedSentence(compared)}`,
    ...filterSentences("Only", filters, workspace),
    ...(filters.branded === undefined
      ? []
      : [filters.branded ? "Only branded prompts." : "Only prompts that are not branded."]),
    ...filterSentences("Without", exclude, workspace),
  ];
}

function periodSentence(text: string, range: InstantRange): string {
  const period = periodOfText(text);
  const dates = datesOf(range);
  return typeof period === "string" ? `${periodTexts[period]}: ${dates} (UTC).` : `${dates} (UTC).`;
}

function comparedSentence(compared: ComparedRange | null): string {
  if (compared === null) return "";
  if ("refused" in compared) return ` Not compared: ${compared.refused}`;
  return ` Compared with ${datesOf(compared)}.`;
}

/** The first and the last day of a range. */
function datesOf({ fromMs, toMs }: InstantRange): string {
  const [first, last] = [fromMs, toMs - 1].map((ms) => new Date(ms).toISOString().slice(0, 10));
  return first === last ? `${first}` : `${first} to ${last}`;
}

/** The filters that are lists, as a view has them. */
type ListFilters = Pick<
  NonNullable<LinkView["exclude"]>,
  "providers" | "topics" | "promptIds" | "regions" | "models" | "surfaces" | "tags"
>;

const surfaceWords: Readonly<Record<Surface, string>> = { api: "API", web: "web pages" };

function filterSentences(
  which: "Only" | "Without",
  { providers, topics, promptIds, regions, models, surfaces, tags }: ListFilters,
  workspace: Named,
): readonly string[] {
  const nameOf = new Map(workspace.topics.map(({ id, name }) => [id, name]));
  const textOf = new Map(workspace.prompts.map(({ id, text }) => [id, text]));
  const named = (names: ReadonlyMap<string, string>, id: string) =>
    names.get(id.toLowerCase()) ?? id;
  const lists: readonly (readonly [string, readonly string[] | undefined])[] = [
    ["providers", providers],
    ["topics", topics?.map(({ id }) => named(nameOf, id))],
    ["prompts", promptIds?.map((id) => named(textOf, id))],
    ["regions", regions?.map(({ code }) => code.toUpperCase())],
    ["models", models],
    ["surfaces", surfaces?.map((surface) => surfaceWords[surface])],
    ["tags", tags],
  ];
  return lists.flatMap(([what, names = []]) =>
    names.length === 0 ? [] : [`${which} the ${what} ${listed(names)}.`],
  );
}

function listed(names: readonly string[]): string {
  const more = names.length - listedMax;
  return `${names.slice(0, listedMax).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** The metric whose course a view shows. */
export function metricOf({ metric = "mentions" }: LinkView) {
  return { name: metric, ...metrics[metric] };
}

function instantOrNull(at: string | null): number | null {
  return at === null ? null : Date.parse(at);
}

function dateMs(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}
