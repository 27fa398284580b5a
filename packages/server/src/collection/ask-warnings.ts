import type { Ask } from "@sightline/contract";
import type { Workspace } from "../accounts/workspace.ts";
import type { Adapter } from "./adapter.ts";
import { capsOf, effectiveAsks, regionsOf } from "./asks.ts";
import type { Prices } from "./prices.ts";
import type { Cap } from "./store/collection-store.ts";
import { adapters } from "./vendors/index.ts";

/** Prices, and the instant at which they apply. */
export interface PricedAt {
  readonly prices: Prices;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * Warnings, for people, about questions of a workspace that will not be sent or whose price is
 * unknown: caps below one question's reserve, models that the price list lacks, and questions that
 * vendors refuse.
 */
export function workspaceWarnings(workspace: Workspace, priced: PricedAt): readonly string[] {
  const asks = new Set<Ask>();
  /** 100,000 prompts share few lists. */
  const seen = new Map<readonly Ask[], Set<string>>();
  const refusals = new Map<string, { readonly provider: string; readonly regions: Set<string> }>();
  for (const { asks: asked, regions } of effectiveAsks(workspace)) {
    const of = seen.get(asked) ?? new Set();
    seen.set(asked, of);
    if (of.has(regions.join())) continue;
    of.add(regions.join());
    for (const ask of asked) {
      asks.add(ask);
      for (const region of regionsOf(ask, regions)) {
        const reason = refusalOf(ask, region);
        if (reason === null) continue;
        const key = `${ask.provider} ${reason}`;
        const known = refusals.get(key) ?? { provider: ask.provider, regions: new Set<string>() };
        refusals.set(key, known);
        if (region !== null) known.regions.add(region);
      }
    }
  }
  const refused = [...refusals].map(([key, { provider, regions }]) => {
    const where = regions.size === 0 ? "" : ` in ${[...regions].join(", ")}`;
    return `${provider} will not be asked${where}: ${key.slice(provider.length + 1)}`;
  });
  return [...askWarnings(workspace, [...asks], priced), ...refused];
}

/** Why the vendor of an ask refuses it in a region; null: it does not. */
export function refusalOf(
  { provider, surface, vendor, model }: Ask,
  region: string | null,
  known: readonly Adapter[] = adapters,
): string | null {
  const adapter = known.find((each) => each.vendor === vendor);
  // The text does not matter: adapters refuse surfaces, models and regions.
  return adapter?.refusal({ id: "", prompt: "?", provider, surface, model, region }) ?? null;
}

/** Warnings about asks: caps below the cost of one question, and models without a price. */
export function askWarnings(
  workspace: Pick<Workspace, "collection">,
  asks: readonly Ask[],
  { prices, at }: PricedAt,
): readonly string[] {
  const caps = capsOf(workspace);
  const warnings = asks.flatMap((ask) => {
    const { provider, model } = ask;
    const reserve = prices.reserveMicrosOf({ ...ask, at });
    const isBelow = (cap: Cap | undefined) =>
      cap !== undefined && cap.micros !== null && cap.micros > 0 && cap.micros < reserve;
    const below = [
      ...(isBelow(caps.all) ? [["dollarsPerDay", caps.all] as const] : []),
      ...(isBelow(caps.byProvider[provider])
        ? [[`providers.${provider}.dollarsPerDay`, caps.byProvider[provider]] as const]
        : []),
    ].map(([name, cap]) => {
      const dollars = `$${(reserve / 1_000_000).toFixed(2)}`;
      return (
        `the cap caps.${name} of ${(cap?.micros ?? 0) / 1_000_000} is below what one question of ` +
        `${provider} may cost (${dollars}), so ${provider} is never asked. Raise it.`
      );
    });
    const isUnlisted = model !== null && prices.priceOf({ ...ask, at }).isOfAnother;
    if (!isUnlisted) return below;
    const unlisted =
      `no price of ${model} is known: ${provider} is estimated and reserved by the dearest model ` +
      "of its vendor. Set its price in a price file.";
    return [...below, unlisted];
  });
  return [...new Set(warnings)];
}
