import { startOfBucket } from "./calendar.ts";
import { type Adds, type Asked, swappedIn } from "./compared.ts";
import { trendOf } from "./decomposed.ts";
import { adjusted } from "./estimates.ts";
import type { Reading } from "./oracle.ts";

const weekMs = 7 * 86_400_000;

/** The trends of some values of one group, each p not yet adjusted for the others. */
export class Trends {
  readonly #found: { trend: { p: number | null; adjustedP?: number | null; verdict?: string } }[] =
    [];
  readonly #threshold: number;
  readonly #mondays: readonly number[];

  constructor({ fromMs, toMs }: Asked, threshold: number) {
    const first = startOfBucket(fromMs + weekMs - 1, "weekly");
    const whole = Math.max(0, Math.floor((toMs - first) / weekMs));
    this.#mondays = Array.from({ length: whole }, (_, week) => first + week * weekMs);
    this.#threshold = threshold;
  }

  /** The trend of a value; null: fewer than five weeks. */
  of(readings: readonly Reading[], adds: Adds): object | null {
    const weeks = this.#mondays.map((monday) =>
      readings.filter(({ at }) => at >= monday && at < monday + weekMs),
    );
    const start = weeks.findLastIndex((week, place) => {
      const earlier = weeks[place - 1];
      if (earlier === undefined || week.length === 0 || earlier.length === 0) return false;
      const weight = swappedIn(earlier, week);
      return weight > 0 && weight >= this.#threshold - 1e-12;
    });
    const kept = weeks.slice(Math.max(0, start));
    if (kept.length < 5) return null;
    const prompts = [...new Set(readings.map(({ promptId }) => promptId))];
    const windows = kept.map((week) =>
      prompts.map((id) => adds(week.filter(({ promptId }) => promptId === id))),
    );
    if (!prompts.some((_, j) => windows.every((window) => (window[j]?.b ?? 0) > 0))) return null;
    const { slope, effectivePrompts, interval, p } = trendOf(windows);
    const from = new Date(this.#mondays[Math.max(0, start)] ?? 0).toISOString();
    const open = { adjustedP: null, verdict: "insufficient" };
    const trend = { slope, weeks: kept.length, from, effectivePrompts, interval, p, ...open };
    if (p !== null) this.#found.push({ trend });
    return trend;
  }

  /** Adjusts each p for all that were asked for. */
  end(): void {
    const ps = adjusted(this.#found.map(({ trend }) => trend.p ?? 1));
    for (const [place, { trend }] of this.#found.entries()) {
      trend.adjustedP = ps[place] ?? 1;
      trend.verdict = trend.adjustedP <= 0.05 ? "moved" : "within-noise";
    }
  }
}
