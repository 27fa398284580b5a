import type {
  ContributionGrouping,
  InsightsChangesResponse,
  MetricName,
  PortrayalFlag,
} from "@sightline/client";
import { changeText, countOf, countText, valueText } from "../../data/format.ts";
import { providerName, regionName, surfaceName } from "../../data/names.ts";
import type { Dates, EvidenceAddress } from "../../data/view.ts";
import { addingUp, type ChangedMetric, decimalsOf, partPlaces } from "./change-text.ts";

/** What a change is divided by, in the order in which a reader chooses. */
export const groupingTexts: Readonly<Record<ContributionGrouping, string>> = {
  prompt: "Prompt",
  topic: "Topic",
  tag: "Tag",
  provider: "Provider",
  model: "Model",
  surface: "Surface",
  region: "Region",
  domain: "Domain",
};

/** The divisions of a metric's change: answers are counted by domain, places are not. */
export function groupingsOf(metric: MetricName): readonly ContributionGrouping[] {
  const all = Object.keys(groupingTexts) as readonly ContributionGrouping[];
  return metric === "rank" ? all.filter((by) => by !== "domain") : all;
}

/** Which answers a side of a line opens; null: no filter finds them, or there are none. */
type SideEvidence = Pick<EvidenceAddress, "promptId" | "part" | "dates"> | null;

/** A side of a line, as it is shown. */
export interface SideText {
  readonly value: string;
  readonly counts: string;
  readonly evidence: SideEvidence;
}

/** A line of the table of contributions. */
export interface ContributionRow {
  readonly key: string;
  /** part: one of those listed. rest: all others. sum: everything, which is the change. */
  readonly kind: "part" | "rest" | "sum";
  readonly name: string;
  readonly before: SideText;
  readonly after: SideText;
  /** Rounded so that the lines add up as they stand. */
  readonly contribution: string;
  /** Of the longest bar, -1 to 1: left of zero it lowers the value. Null: it has no bar. */
  readonly bar: number | null;
}

type Side = InsightsChangesResponse["rest"]["before"];

interface RowsOf {
  /** Its figures are in the unit of its own metric, whatever is asked by now. */
  readonly reply: InsightsChangesResponse;
  /** The days of the compared period. */
  readonly before: Dates;
}

/** The lines of a reply: its contributions, the others together, and the change that they are. */
export function contributionRows({ reply, before }: RowsOf): readonly ContributionRow[] {
  const { by, contributions, rest, value } = reply;
  if (value === null) return [];
  // The console asks for no change of what is said.
  const asked = reply.metric as Exclude<typeof reply.metric, PortrayalFlag>;
  const metric: ChangedMetric = asked === "visibility" ? "overall-visibility" : asked;
  const parts = rest.contributions > 0 ? [...contributions, rest] : contributions;
  const figures = addingUp(
    parts.map((each) => each.value),
    value,
    decimalsOf(metric),
  );
  const longest = Math.max(...parts.map((each) => Math.abs(each.value)), Number.EPSILON);
  const shown = (at: number) => changeText(metric, figures[at] ?? null, partPlaces(metric));
  const sideText = (side: Side, evidence: SideEvidence) => ({
    value: valueText(metric, side.value),
    counts: countsText(metric, side),
    evidence: side.denominator === 0 ? null : evidence,
  });
  const rows = contributions.map(({ key, name, ...each }, at): ContributionRow => {
    const evidence = evidenceOf(by, key);
    return {
      key: key ?? "",
      kind: "part",
      name: nameOf(by, key, name),
      before: sideText(each.before, evidence && { ...evidence, dates: before }),
      after: sideText(each.after, evidence),
      contribution: shown(at),
      bar: each.value / longest,
    };
  });
  const others: ContributionRow = {
    key: "rest",
    kind: "rest",
    name: countOf(rest.contributions, "other"),
    before: sideText(rest.before, null),
    after: sideText(rest.after, null),
    contribution: shown(contributions.length),
    bar: rest.value / longest,
  };
  const whole = (of: "before" | "after") =>
    wholeOf(
      parts.map((each) => each[of]),
      by,
    );
  const sum: ContributionRow = {
    key: "sum",
    kind: "sum",
    name: "All, which is the change",
    before: sideText(whole("before"), null),
    after: sideText(whole("after"), null),
    contribution: changeText(metric, value, partPlaces(metric)),
    bar: null,
  };
  return [...rows, ...(rest.contributions > 0 ? [others] : []), sum];
}

function nameOf(by: ContributionGrouping, key: string | null, name: string): string {
  if (key === null) return name;
  if (by === "provider") return providerName(key);
  if (by === "surface") return surfaceName(key);
  return by === "region" ? regionName(key) : name;
}

/** Answers without a topic, tag, region, model, surface or citation are found by no filter. */
function evidenceOf(by: ContributionGrouping, key: string | null): SideEvidence {
  if (key === null) return null;
  return by === "prompt"
    ? { promptId: key, part: null, dates: null }
    : { promptId: null, part: { by, key }, dates: null };
}

function countsText(metric: ChangedMetric, { numerator, denominator }: Side): string {
  if (denominator === 0) return metric === "rank" ? "no mentions" : "no answers";
  if (metric === "rank") return countOf(Math.round(denominator * 10) / 10, "mention");
  // By domain and by tag an answer gives each of its own an equal part of itself.
  const [hits, all] = [numerator, denominator].map((count) => Math.round(count * 10) / 10);
  return `${countText(hits ?? 0)} of ${countText(all ?? 0)}`;
}

/** All parts together; by domain each has the denominator of the whole. */
function wholeOf(sides: readonly Side[], by: ContributionGrouping): Side {
  const sum = (of: (side: Side) => number) => sides.reduce((total, each) => total + of(each), 0);
  const numerator = sum((each) => each.numerator);
  const denominator =
    by === "domain"
      ? Math.max(...sides.map((each) => each.denominator), 0)
      : sum((each) => each.denominator);
  return { value: denominator === 0 ? null : numerator / denominator, numerator, denominator };
}
