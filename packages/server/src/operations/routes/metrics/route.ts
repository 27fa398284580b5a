import type { Registry } from "prom-client";
import type { OpenRoute } from "../../../http/route.ts";

/** Anybody may ask, and writing the text takes as long as answering twenty other requests. */
const keptMs = 1_000;

interface Kept {
  readonly atMs: number;
  readonly text: Promise<string>;
}

const kept = new WeakMap<Registry, Kept>();

/** GET /metrics: measurements for Prometheus, at most a second old. */
export const metricsRoute: OpenRoute = {
  access: "open",
  method: "GET",
  path: "/metrics",
  reply: async ({ metrics: { registry }, projection, clock }) => {
    const atMs = clock.elapsed();
    const last = kept.get(registry);
    const isFresh = last !== undefined && atMs - last.atMs < keptMs;
    const text = isFresh ? last.text : projection.measure().then(() => registry.metrics());
    if (!isFresh) kept.set(registry, { atMs, text });
    return { contentType: registry.contentType, body: await text };
  },
};
