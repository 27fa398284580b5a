import { type Buckets, dayMs } from "./buckets.ts";

/** The points of a series in which nothing was counted, as JSON without brackets. */
export interface EmptyPoints {
  readonly json: Buffer;
  /** Where the value of each bucket stands; each is `null`. */
  readonly valueAt: Int32Array;
}

/** Dashboards have few ranges; the largest takes some 230 kB. */
const keptMax = 8;

/** Those used last; dashboards ask for the same ranges again and again. */
const kept = new Map<string, EmptyPoints>();

/** Of any series with these buckets: all points but their values are the same in each. */
export function emptyPoints({ interval, startsMs }: Buckets): EmptyPoints {
  const key = `${interval} ${startsMs[0]} ${startsMs.length}`;
  const points = kept.get(key) ?? pointsOf(startsMs);
  kept.delete(key);
  kept.set(key, points); // last: it goes last
  for (const [oldest] of kept) {
    if (kept.size <= keptMax) break;
    kept.delete(oldest);
  }
  return points;
}

function pointsOf(startsMs: readonly number[]): EmptyPoints {
  const valueAt = new Int32Array(startsMs.length);
  let json = "";
  for (const [bucket, date] of datesOf(startsMs).entries()) {
    json += `${bucket === 0 ? "" : ","}{"timestamp":"${date}T00:00:00.000Z","value":`;
    valueAt[bucket] = json.length;
    json += "null}";
  }
  return { json: Buffer.from(json), valueAt };
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
