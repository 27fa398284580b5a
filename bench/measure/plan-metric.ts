import type { Served } from "./served.ts";
import { pause } from "./timing.ts";

/** The service writes its metrics at most once a second, so a count can be this old, and more. */
const textAgeMaxMs = 1_000;
const waitMaxMs = 5 * textAgeMaxMs;
const betweenReadsMs = 50;
const count = /^sightline_facts_query_seconds_count\{(.+)\} (\d+)$/gm;

/** Which plans the service used, as its own metric counts them. Nothing else may ask meanwhile. */
export class PlanMetric {
  readonly #served: Served;
  #counts: ReadonlyMap<string, number>;

  private constructor(served: Served, counts: ReadonlyMap<string, number>) {
    this.#served = served;
    this.#counts = counts;
  }

  /** Begins to count: what was asked before does not count. */
  static async of(served: Served): Promise<PlanMetric> {
    await pause(textAgeMaxMs);
    return new PlanMetric(served, countsIn(await served.metrics()));
  }

  /** The plan of the one question asked since the last call. @throws when none is counted. */
  async ofLastQuestion(): Promise<string> {
    const end = performance.now() + waitMaxMs;
    while (performance.now() < end) {
      const before = this.#counts;
      const after = countsIn(await this.#served.metrics());
      const [used] = [...after].find(([labels, times]) => times > (before.get(labels) ?? 0)) ?? [];
      this.#counts = after;
      if (used !== undefined) return /plan="([^"]*)"/.exec(used)?.[1] ?? "";
      await pause(betweenReadsMs);
    }
    throw new Error("the service's metrics do not count a question that it has answered");
  }
}

function countsIn(exposition: string): ReadonlyMap<string, number> {
  return new Map(
    [...exposition.matchAll(count)].map(([, labels = "", times]) => [labels, Number(times)]),
  );
}
