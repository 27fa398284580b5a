import type { InsightsSeriesResponse, WorkspaceResponse } from "@sightline/client";
import { countOf, dateText } from "../../data/format.ts";
import { providerName } from "../../data/names.ts";
import { dayMs } from "../../data/period.ts";
import type { ChartPoint } from "./chart-data.ts";

type SeriesMark = NonNullable<InsightsSeriesResponse["marks"]>[number];

/**
 * What is marked at the axis of a chart: something else than the value changed in a bucket. Marks
 * of another origin, such as notes, are more of these.
 */
export interface ChartMark {
  /** The bucket. */
  readonly index: number;
  /** What changed, each in a few words. */
  readonly texts: readonly string[];
}

/** A kind of mark is an event where it is rare: at most in so many weeks, or this share of them. */
const rare = { weeks: 2, share: 0.25 } as const;
const weekMs = 7 * 86_400_000;

/**
 * The marks of a reply in the buckets of a line, which may be days, weeks or months. Where prompts
 * are asked by turns, or a provider answers by models in turn, nearly each week has a mark, and no
 * one says anything: those are left out.
 */
export function chartMarks(
  marks: readonly SeriesMark[],
  points: readonly Pick<ChartPoint, "startMs">[],
): readonly ChartMark[] {
  const bucketOf = ({ timestamp }: SeriesMark) =>
    points.findLastIndex(({ startMs }) => startMs <= Date.parse(timestamp));
  const spanMs = (points.at(-1)?.startMs ?? 0) - (points[0]?.startMs ?? 0);
  const most = Math.max(rare.weeks, (spanMs / weekMs) * rare.share);
  const kinds = Map.groupBy(marks, ({ kind }) => kind);
  const events = marks.filter(({ kind }) => (kinds.get(kind)?.length ?? 0) <= most);
  return [...Map.groupBy(events, bucketOf)]
    .filter(([index]) => index >= 0)
    .map(([index, own]) => ({ index, texts: textsOf(own) }));
}

/** What an account's people noted of a day. */
export type Note = NonNullable<WorkspaceResponse["notes"]>[number];

/** The notes of the days of a bucket, those outside the period too. */
export function notesIn(
  notes: readonly Note[],
  { startMs, days }: Pick<ChartPoint, "startMs" | "days">,
): readonly Note[] {
  const isIn = (atMs: number) => startMs <= atMs && atMs < startMs + days * dayMs;
  return notes.filter(({ date }) => isIn(Date.parse(date)));
}

/** Marks of a line with the notes of its buckets, in the words of those who wrote them. */
export function withNotes(
  marks: readonly ChartMark[],
  notes: readonly Note[],
  points: readonly Pick<ChartPoint, "startMs" | "days">[],
): readonly ChartMark[] {
  const noted = notes.flatMap((note) => {
    const index = points.findIndex((point) => notesIn([note], point).length > 0);
    const text = `${dateText(Date.parse(note.date), "day")}: ${note.text}`;
    return index < 0 ? [] : [{ index, texts: [text] }];
  });
  return [...Map.groupBy([...marks, ...noted], ({ index }) => index)].map(([index, own]) => ({
    index,
    texts: own.flatMap(({ texts }) => texts),
  }));
}

function textsOf(marks: readonly SeriesMark[]): readonly string[] {
  const providers = [...new Set(marks.flatMap((mark) => mark.providers))].map(providerName);
  const sum = (of: "added" | "removed") => marks.reduce((all, mark) => all + mark[of], 0);
  const [added, removed] = [sum("added"), sum("removed")];
  return [
    ...(providers.length === 0 ? [] : [`other models: ${providers.join(", ")}`]),
    ...(added === 0 ? [] : [`${countOf(added, "prompt")} first answered`]),
    ...(removed === 0 ? [] : [`${countOf(removed, "prompt")} no longer answered`]),
  ];
}
