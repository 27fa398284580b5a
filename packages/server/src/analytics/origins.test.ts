import assert from "node:assert/strict";
import { test } from "node:test";
import { providers } from "@sightline/contract";
import fc from "fast-check";
import { originOf, regionBits, wantedOrigins } from "./origins.ts";
import type { Condition } from "./plan.ts";

/** Of "ZZ"; see regionCode. */
const lastRegion = 26 * 26;

test("every provider and region has an origin of its own, in 16 bits", () => {
  assert.ok(lastRegion < 2 ** regionBits);
  const origins = new Set<number>();
  for (let region = 0; region <= lastRegion; region++) {
    for (let provider = 0; provider <= providers.length; provider++) {
      origins.add(originOf(provider, region));
    }
  }
  assert.equal(origins.size, (lastRegion + 1) * (providers.length + 1));
  assert.ok(Math.max(...origins) < 2 ** 16);
});

test("the wanted origins are those whose provider and region are wanted", () => {
  const provider = fc.nat({ max: providers.length });
  const region = fc.nat({ max: lastRegion });
  const someOf = (value: fc.Arbitrary<number>) =>
    fc.option(fc.uniqueArray(value, { minLength: 1, maxLength: 5 }));
  const property = fc.property(
    someOf(provider),
    someOf(region),
    fc.array(fc.tuple(provider, region)),
    (wantedProviders, wantedRegions, answers) => {
      const conditions: Condition[] = [{ column: "topic", values: [1] }];
      if (wantedProviders !== null)
        conditions.push({ column: "provider", values: wantedProviders });
      if (wantedRegions !== null) conditions.push({ column: "region", values: wantedRegions });
      const wanted = wantedOrigins(conditions);
      assert.equal(wanted === null, wantedProviders === null && wantedRegions === null);
      for (const [ofProvider, ofRegion] of answers) {
        const passes =
          (wantedProviders?.includes(ofProvider) ?? true) &&
          (wantedRegions?.includes(ofRegion) ?? true);
        const origin = originOf(ofProvider, ofRegion);
        assert.equal(wanted === null || wanted.passes[origin] === 1, passes);
        if (passes && wanted !== null) {
          assert.ok(origin >= wanted.first && origin <= wanted.last);
        }
      }
    },
  );
  fc.assert(property, { numRuns: 300, seed: 20_260_101 });
});
