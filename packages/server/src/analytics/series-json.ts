import type { TimeSeriesRequest } from "@sightline/contract";
import { dayMs } from "./buckets.ts";
import { type MetricDefinition, metricDefinitions } from "./metric-definitions.ts";
import type { TimeSeriesQuestion } from "./question.ts";
import type { SeriesFacts } from "./series.ts";

/**
 * The reply of operations 1 to 4, as JSON (TimeSeriesResponse): one series an entity, one point a
 * bucket, nothing carried on. A reply has up to millions of points that differ in one number:
 * written as text it takes a third of what objects and JSON.stringify take.
 */
export function timeSeriesJson(
  request: TimeSeriesRequest,
  question: TimeSeriesQuestion,
  { entities, sums }: SeriesFacts,
): Buffer {
  const { startsMs } = question.buckets;
  const value = pointValue(metricDefinitions[question.metric], sums, startsMs.length);
  const { filled, after } = filledPoints(startsMs, countedBuckets(sums, startsMs.length));
  const { from, to } = request.filters.timeRange;
  const json = new JsonText();
  const range = JSON.stringify({ from, to });
  json.add(`{"interval":"${request.interval}","timeRange":${range},"series":[`);
  for (const [place, { id, name }] of entities.entries()) {
    json.add(`${place === 0 ? "" : ","}{"id":"${id}","name":${JSON.stringify(name)},"data":[`);
    for (const { before, bucket } of filled) {
      json.add(before);
      json.add(`${value(place + 1, bucket)}`);
    }
    json.add(after);
  }
  json.add("]}");
  return json.bytes();
}

/** A text that stands in every series: a long one is encoded once and copied. */
type CommonText = string | Buffer;

/** Text of at least so many characters is copied faster than it is joined and encoded again. */
const longTextMin = 500;

const commonText = (text: string): CommonText =>
  text.length < longTextMin ? text : Buffer.from(text);

/** JSON that is put together from text and from text that is encoded already. */
class JsonText {
  readonly #parts: Buffer[] = [];
  #text = "";

  add(text: CommonText): void {
    if (typeof text === "string") {
      this.#text += text;
    } else {
      this.#encode();
      this.#parts.push(text);
    }
  }

  bytes(): Buffer {
    this.#encode();
    return Buffer.concat(this.#parts);
  }

  #encode(): void {
    if (this.#text !== "") this.#parts.push(Buffer.from(this.#text));
    this.#text = "";
  }
}

/** Where a series has a value of its own, and the text of the points in between and at the end. */
interface FilledPoints {
  readonly filled: readonly { readonly bucket: number; readonly before: CommonText }[];
  readonly after: CommonText;
}

/** Buckets in which nothing was counted are null in every series: their text is written once. */
function filledPoints(startsMs: readonly number[], isCounted: Uint8Array): FilledPoints {
  const filled: { readonly bucket: number; readonly before: CommonText }[] = [];
  let text = "";
  for (const [bucket, date] of datesOf(startsMs).entries()) {
    text += `${bucket === 0 ? "" : ","}{"timestamp":"${date}T00:00:00.000Z","value":`;
    if (isCounted[bucket] === 1) {
      filled.push({ bucket, before: commonText(text) });
      text = "}";
    } else {
      text += "null}";
    }
  }
  return { filled, after: commonText(`${text}]}`) };
}

/** The UTC dates of days that rise. Within a month nothing but the day is written anew. */
function datesOf(startsMs: readonly number[]): readonly string[] {
  let [month, firstMs, endMs] = ["", 0, Number.NEGATIVE_INFINITY];
  return startsMs.map((startMs) => {
    if (startMs >= endMs) {
      const date = new Date(startMs);
      month = date.toISOString().replace(/\d\dT.*$/, "");
      firstMs = date.setUTCDate(1);
      endMs = date.setUTCMonth(date.getUTCMonth() + 1);
    }
    const day = (startMs - firstMs) / dayMs + 1;
    return day < 10 ? `${month}0${day}` : `${month}${day}`;
  });
}

/** 1 where anything was counted of any entity. */
function countedBuckets(sums: readonly Float64Array[], buckets: number): Uint8Array {
  const counted = new Uint8Array(buckets);
  for (const sum of sums) {
    for (let first = 0; first < sum.length; first += buckets) {
      for (let bucket = 0; bucket < buckets; bucket++) {
        if (sum[first + bucket] !== 0) counted[bucket] = 1;
      }
    }
  }
  return counted;
}

/** Numerator over denominator of an entity in a bucket; null when the denominator is nothing. */
function pointValue({ per }: MetricDefinition, sums: readonly Float64Array[], buckets: number) {
  const [numerators = none, mentions = none] = sums;
  return (entity: number, bucket: number): number | null => {
    const place = entity * buckets + bucket;
    const denominator = per === "answers" ? numerators[bucket] : mentions[place];
    if (denominator === undefined || denominator === 0) return null;
    return (numerators[place] ?? 0) / denominator;
  };
}

const none = new Float64Array();
