import { geometricMean } from "../measure/timing.ts";
import { ratiosOf } from "./ratios.ts";
import type { GrowthResult, PartResult, QuestionResult, WorkloadResult } from "./results.ts";

/** A figure that must be reached, and what was measured. */
export interface Bound {
  readonly what: string;
  readonly wanted: string;
  readonly got: string;
  readonly holds: boolean;
}

/** What the results that are there say about every figure that must be reached. */
export function boundsOf(results: readonly PartResult[]): readonly Bound[] {
  const workload = (name: string) =>
    results.find((each) => each.part === "workload" && each.workload === name) as
      | WorkloadResult
      | undefined;
  const [small, medium] = [workload("S"), workload("M")];
  return [
    ...(small === undefined ? [] : smallBounds(small)),
    ...(medium === undefined ? [] : mediumBounds(medium)),
    ...results.flatMap(partBounds),
  ];
}

function smallBounds({ questions }: WorkloadResult): readonly Bound[] {
  const series = questions.filter(isSeries);
  const unfiltered = questions.filter(({ name }) => !isFiltered(name));
  const ratios = ratiosOf(questions, "postgres");
  if (ratios.length === 0) return sideBounds(questions, series);
  return [
    ...sideBounds(questions, series),
    leastRatio("S, unfiltered series against PostgreSQL", unfiltered.filter(isSeries), 50),
    leastRatio("S, unfiltered sources against PostgreSQL", unfiltered.filter(isSources), 15),
    meanRatio("S, all questions against PostgreSQL, geometric mean", ratios, 15),
    leastRatio("S, every question against PostgreSQL", questions, 3),
  ];
}

function sideBounds(all: readonly QuestionResult[], series: readonly QuestionResult[]) {
  return [atMostMs("S, every question", all, 10), atMostMs("S, time series", series, 5)];
}

function mediumBounds({ questions }: WorkloadResult): readonly Bound[] {
  const series = questions.filter(isSeries);
  const lists = series.filter(hasPrompts);
  const others = series.filter((question) => !hasPrompts(question));
  const sources = (by: string) =>
    questions.filter(({ name, days }) => name.startsWith(`sources by ${by}`) && days <= 90);
  const ratios = ratiosOf(questions, "clickhouse");
  return [
    atMostMs("M, series up to 90 days, no prompt list", others.filter(isQuarter), 6),
    atMostMs("M, series of 365 days, no prompt list", others.filter(isYear), 15),
    atMostMs("M, series with a prompt list", lists, 15),
    atMostMs("M, sources by domain up to 90 days", sources("domain"), 30),
    atMostMs("M, sources by URL up to 90 days", sources("url"), 80),
    ...(ratios.length === 0
      ? []
      : [meanRatio("M, all questions against ClickHouse, geometric mean", ratios, 5)]),
  ];
}

function growthBound({ smallerName, largerName, questions }: GrowthResult): Bound {
  const growths = questions.map(({ name, smallerMs, largerMs }) => {
    return { name, ratio: largerMs / smallerMs };
  });
  const worst = growths.reduce((most, each) => (each.ratio > most.ratio ? each : most));
  const mean = geometricMean(growths.map(({ ratio }) => ratio));
  const over = growths.filter(({ ratio }) => ratio > 1.5).length;
  return {
    what: `${largerName} against ${smallerName}, time series`,
    wanted: "≤ 1.5 times",
    got:
      `mean ${mean.toFixed(2)}, worst ${worst.ratio.toFixed(2)} (${worst.name}), ` +
      `${over} of ${growths.length} above`,
    holds: over === 0,
  };
}

function partBounds(result: PartResult): readonly Bound[] {
  switch (result.part) {
    case "workload":
      return [];
    case "growth":
      return [growthBound(result)];
    case "two-accounts":
      return [
        atMost("Two accounts, beside an idle one / alone", result.slowerRatio, {
          wanted: 1.2,
          unit: "times",
        }),
      ];
    case "start":
      return [
        atMost(`Start with ${result.workload} on disk`, result.ready.medianMs, {
          wanted: 2_000,
          unit: "ms",
        }),
      ];
    case "cache":
      return result.questions.map(({ name, bytes, perSecond, barePerSecond }) =>
        atLeast(
          `Cached, against a bare route: ${name} (${kilobytes(bytes)})`,
          (100 * perSecond) / barePerSecond,
          { wanted: 60, unit: "%" },
        ),
      );
    case "ingest":
      return [
        atLeast("Ingest, answers a second until visible", result.answersPerSecond, {
          wanted: 10_000,
          unit: "/s",
        }),
        atMost(
          "Ingest, p99 of questions meanwhile / idle after",
          result.during.p99Ms / result.idleAfter.p99Ms,
          { wanted: 3, unit: "times" },
        ),
        {
          what: "Ingest, peak memory of the server",
          wanted: "< 500 MB",
          got: String(result.peakMemoryMb),
          holds: result.peakMemoryMb < 500,
        },
      ];
  }
}

const isSeries = ({ kind }: QuestionResult) => kind === "series";
const isSources = ({ kind }: QuestionResult) => kind === "sources";
const isQuarter = ({ days }: QuestionResult) => days <= 90;
const isYear = ({ days }: QuestionResult) => days > 90;
const hasPrompts = ({ name }: QuestionResult) => / prompts?\b/.test(name);

function isFiltered(name: string): boolean {
  return /provider|region|topic|branded|prompt/.test(name);
}

function atMostMs(what: string, questions: readonly QuestionResult[], wanted: number): Bound {
  const [slowest] = questions.toSorted((a, b) => b.ours.medianMs - a.ours.medianMs);
  const over = questions.filter(({ ours }) => ours.medianMs > wanted).length;
  const name = slowest === undefined ? "none" : slowest.name;
  const ms = slowest?.ours.medianMs.toFixed(1);
  return {
    what,
    wanted: `≤ ${wanted} ms`,
    got: `slowest ${ms} ms (${name}), ${over} of ${questions.length} above`,
    holds: over === 0,
  };
}

function leastRatio(what: string, questions: readonly QuestionResult[], wanted: number): Bound {
  const ratios = ratiosOf(questions, "postgres").toSorted((a, b) => a.ratio - b.ratio);
  const under = ratios.filter(({ ratio }) => ratio < wanted).length;
  const least = ratios[0];
  return {
    what,
    wanted: `≥ ${wanted} times`,
    got:
      `least ${least?.ratio.toFixed(1)} (${least?.name}), ` + `${under} of ${ratios.length} below`,
    holds: under === 0,
  };
}

function meanRatio(
  what: string,
  ratios: readonly { readonly ratio: number }[],
  wanted: number,
): Bound {
  const mean = geometricMean(ratios.map(({ ratio }) => ratio));
  return {
    what,
    wanted: `≥ ${wanted} times`,
    got: `${mean.toFixed(1)}`,
    holds: mean >= wanted,
  };
}

function atMost(what: string, got: number, { wanted, unit }: Limit): Bound {
  return { what, wanted: `≤ ${wanted} ${unit}`, got: shown(got), holds: got <= wanted };
}

function atLeast(what: string, got: number, { wanted, unit }: Limit): Bound {
  return { what, wanted: `≥ ${wanted} ${unit}`, got: shown(got), holds: got >= wanted };
}

interface Limit {
  readonly wanted: number;
  readonly unit: string;
}

function shown(figure: number): string {
  return figure >= 100 ? String(Math.round(figure)) : figure.toFixed(2);
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`;
}
