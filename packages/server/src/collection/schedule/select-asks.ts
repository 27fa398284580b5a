import { type Ask, askOf, type Provider, type Vendor } from "@sightline/contract";
import type { Workspace } from "../../accounts/workspace.ts";
import { type EffectiveAsk, effectiveAsks } from "./effective-asks.ts";

/** What somebody asks for out of turn; omitted: all, and as the workspace says. */
export interface Selection {
  readonly promptIds?: ReadonlySet<string>;
  readonly topicIds?: ReadonlySet<string>;
  /** In place of those of the workspace; each is asked as the workspace says of it, if it does. */
  readonly providers?: ReadonlySet<Provider>;
  /** Without jobs of others. */
  readonly vendors?: ReadonlySet<Vendor>;
  /** In place of those of the workspace. */
  readonly regions?: readonly string[];
  /** In place of what the workspace says. */
  readonly samples?: number;
}

/** How the prompts of a selection are asked; a paused prompt is not, named or not. */
export function* selectedAsks(
  workspace: Workspace,
  { promptIds, topicIds, providers, vendors, regions, samples }: Selection,
  chosen: (ask: Ask) => Ask = (ask) => ask,
): Generator<EffectiveAsk> {
  const named = providers === undefined ? null : namedAsks(workspace, { providers, chosen });
  for (const each of effectiveAsks(workspace, { usual: named?.usual ?? [], chosen })) {
    const { id, topicId } = each.prompt;
    if (!(promptIds?.has(id) ?? true)) continue;
    if (topicIds !== undefined && !(topicId !== null && topicIds.has(topicId))) continue;
    const wanted = named === null ? each.asks : named.asksOf(each.asks);
    const asked = wanted.filter(({ vendor }) => vendors?.has(vendor) ?? true);
    const asks = regions === undefined ? asked : asked.map(inOtherRegions);
    if (asks.length === 0) continue;
    yield { ...each, asks, regions: regions ?? each.regions, samples: samples ?? each.samples };
  }
}

/** Without a place of its own; one that is asked without a region stays so. */
function inOtherRegions(ask: Ask): Ask {
  const { provider, surface, vendor, model } = ask;
  return ask.regions?.length === 0 ? ask : { provider, surface, vendor, model };
}

interface NamedProviders {
  readonly providers: ReadonlySet<Provider>;
  readonly chosen: (ask: Ask) => Ask;
}

/**
 * Whom to ask when it was named: as the prompt's own rules say, else as those of any prompt, so
 * that a sweep asks one vendor for a provider; else in the usual way.
 */
function namedAsks(workspace: Workspace, { providers, chosen }: NamedProviders) {
  const known = new Map<Provider, Ask>();
  for (const { asks } of effectiveAsks(workspace, { chosen })) {
    for (const ask of asks) if (!known.has(ask.provider)) known.set(ask.provider, ask);
  }
  const usualOf = (provider: Provider): Ask => {
    const ask = known.get(provider) ?? askOf(provider);
    if (typeof ask === "string") throw new Error(ask);
    return chosen(ask);
  };
  const asksOf = (asks: readonly Ask[]): readonly Ask[] =>
    [...providers].flatMap((provider) => {
      const own = asks.filter((ask) => ask.provider === provider);
      return own.length > 0 ? own : [usualOf(provider)];
    });
  return { usual: [...providers].map(usualOf), asksOf };
}
