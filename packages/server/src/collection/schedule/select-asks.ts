import { type Ask, askOf, type Provider, type Vendor } from "@sightline/contract";
import type { Workspace } from "../../control/workspace.ts";
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
): Generator<EffectiveAsk> {
  const chosen = providers === undefined ? null : chooser(workspace, providers);
  for (const each of effectiveAsks(workspace, chosen?.usual)) {
    const { id, topicId } = each.prompt;
    if (!(promptIds?.has(id) ?? true)) continue;
    if (topicIds !== undefined && !(topicId !== null && topicIds.has(topicId))) continue;
    const wanted = chosen === null ? each.asks : chosen.asksOf(each.asks);
    const asks = wanted.filter(({ vendor }) => vendors?.has(vendor) ?? true);
    if (asks.length === 0) continue;
    yield { ...each, asks, regions: regions ?? each.regions, samples: samples ?? each.samples };
  }
}

/**
 * Whom to ask when it was named: as the prompt's own rules say, else as those of any prompt, so
 * that a sweep asks one vendor for a provider; else in the usual way.
 */
function chooser(workspace: Workspace, providers: ReadonlySet<Provider>) {
  const known = new Map<Provider, Ask>();
  for (const { asks } of effectiveAsks(workspace)) {
    for (const ask of asks) if (!known.has(ask.provider)) known.set(ask.provider, ask);
  }
  const usualOf = (provider: Provider): Ask => {
    const ask = known.get(provider) ?? askOf(provider);
    if (typeof ask === "string") throw new Error(ask);
    return ask;
  };
  const asksOf = (asks: readonly Ask[]): readonly Ask[] =>
    [...providers].flatMap((provider) => {
      const own = asks.filter((ask) => ask.provider === provider);
      return own.length > 0 ? own : [usualOf(provider)];
    });
  return { usual: [...providers].map(usualOf), asksOf };
}
