import type { Condition } from "./plan.ts";

/** Of an origin's 16 bits so many are the region's number, those above them the provider's. */
export const regionBits = 10;

/** The provider and the region of an answer as one number, as the index holds them. */
export function originOf(provider: number, region: number): number {
  return (provider << regionBits) | region;
}

/** Origins that pass. */
export interface WantedOrigins {
  /** 1 at each. */
  readonly passes: Uint8Array;
  readonly first: number;
  readonly last: number;
}

/** The origins that conditions on provider and region let pass; null: all. */
export function wantedOrigins(conditions: readonly Condition[]): WantedOrigins | null {
  const valuesOf = (wanted: "provider" | "region") =>
    conditions.find(({ column }) => column === wanted)?.values;
  const [provider, region] = [valuesOf("provider"), valuesOf("region")];
  if (provider === undefined && region === undefined) return null;
  const providers = provider ?? numbersBelow(1 << (16 - regionBits));
  const regions = region ?? numbersBelow(1 << regionBits);
  const first = originOf(Math.min(...providers), Math.min(...regions));
  const last = originOf(Math.max(...providers), Math.max(...regions));
  const passes = new Uint8Array(last + 1);
  for (const each of providers) {
    for (const number of regions) passes[originOf(each, number)] = 1;
  }
  return { passes, first, last };
}

function numbersBelow(end: number): readonly number[] {
  return Array.from({ length: end }, (_, number) => number);
}
