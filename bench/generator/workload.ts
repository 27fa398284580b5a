/** Raised when a workload comes out otherwise: what was filled before is then filled again. */
export const generatorVersion = 1;

/** The workloads that are published. */
export const sizes = ["S", "M", "L"] as const;
/** One of the published workloads. */
export type Size = (typeof sizes)[number];

/** What is generated. The same workload always gives the same answers. */
export interface Workload {
  readonly name: string;
  readonly seed: number;
  readonly answers: number;
  /** The answers' instants lie in [fromMs, toMs), in order. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly entities: number;
  readonly topics: number;
  readonly prompts: number;
  /** Entities that an answer mentions, about, on average. */
  readonly mentionedMean: number;
  /** URLs that an answer cites: equally likely from the least to the most. */
  readonly citationsMin: number;
  readonly citationsMax: number;
  /** Each is cited at least once. */
  readonly domains: number;
  /** Each is cited at least once. */
  readonly urls: number;
}

/** A UTC day. */
export const dayMs = 86_400_000;
/** Where every workload ends, and so the ranges that are asked for. */
const toMs = Date.UTC(2026, 10, 1);

const year = {
  seed: 20_261_101,
  fromMs: toMs - 365 * dayMs,
  toMs,
  entities: 10,
  topics: 40,
  prompts: 1_000,
  mentionedMean: 3.24,
  citationsMin: 3,
  citationsMax: 7,
  domains: 20_000,
  urls: 300_000,
} as const;

/** S is of the size that the nearest open product publishes; L is five times M. */
export const workloads: Readonly<Record<Size, Workload>> = {
  S: {
    name: "S",
    seed: 51_700,
    answers: 51_700,
    fromMs: toMs - 29 * dayMs,
    toMs,
    entities: 30,
    topics: 20,
    prompts: 200,
    mentionedMean: 10.36,
    citationsMin: 9,
    citationsMax: 20,
    domains: 20_366,
    urls: 117_316,
  },
  M: { ...year, name: "M", answers: 1_000_000 },
  L: { ...year, name: "L", answers: 5_000_000 },
};

/** The workload with fewer answers and sources; its range, entities and prompts stay. */
export function scaled(workload: Workload, factor: number): Workload {
  if (factor === 1) return workload;
  const part = (count: number) => Math.max(1, Math.round(count * factor));
  return {
    ...workload,
    name: `${workload.name}-${factor}`,
    answers: part(workload.answers),
    domains: part(workload.domains),
    urls: part(workload.urls),
  };
}
