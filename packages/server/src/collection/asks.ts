import {
  type Ask,
  type AskedProvider,
  askOf,
  type CollectionRule,
  type Provider,
  type Vendor,
} from "@sightline/contract";
import type { Prompt, Workspace } from "../accounts/workspace.ts";
import { type Cadence, cadenceKey } from "./cadence.ts";
import type { AccountCaps, Cap } from "./store/collection-store.ts";

/** A prompt, with whom it is asked of and when. */
export interface EffectiveAsk {
  readonly prompt: Prompt;
  /** Null: only when somebody asks for it. */
  readonly cadence: Cadence | null;
  /** At least one. */
  readonly asks: readonly Ask[];
  /** At least one; null: none is asked for. */
  readonly regions: readonly (string | null)[];
  readonly samples: number;
}

/** How asks are read from a workspace. */
interface ReadsAsks {
  /** How those are asked of which the workspace says nothing; omitted: not at all. */
  readonly usual?: readonly Ask[];
  /** The vendor to ask for it; omitted: as it is written. */
  readonly chosen?: (ask: Ask) => Ask;
}

/** How prompts are asked, in the order of the workspace; without those of which nobody is asked. */
export function* effectiveAsks(
  workspace: Workspace,
  { usual = [], chosen = (ask) => ask }: ReadsAsks = {},
): Generator<EffectiveAsk> {
  const ofTopics = new Map(workspace.topics.map(({ id, collection }) => [id, collection]));
  const asksOf = remembered((items: readonly AskedProvider[]) => toAsks(items).map(chosen));
  for (const prompt of workspace.prompts) {
    if (prompt.paused) continue;
    const ofTopic = prompt.topicId === null ? undefined : ofTopics.get(prompt.topicId);
    const rules = [prompt.collection, ofTopic, workspace.collection];
    const providers = nearest(rules, "providers");
    const asks = providers === undefined ? usual : asksOf(providers);
    if (asks.length === 0) continue;
    const cron = nearest(rules, "cron");
    const regions = nearest(rules, "regions") ?? [];
    yield {
      prompt,
      cadence: cron === undefined ? null : { cron, timeZone: nearest(rules, "timeZone") ?? "UTC" },
      asks,
      regions: regions.length === 0 ? [null] : regions,
      samples: nearest(rules, "samples") ?? 1,
    };
  }
}

/** The regions of an ask: its own, else those of the prompt; at least one. */
export function regionsOf(
  { regions }: Pick<Ask, "regions">,
  around: readonly (string | null)[],
): readonly (string | null)[] {
  if (regions === undefined) return around;
  return regions.length === 0 ? [null] : regions;
}

/** The different cadences of a workspace, by their keys. */
export function cadencesOf(workspace: Workspace): readonly Cadence[] {
  const cadences = new Map<string, Cadence>();
  for (const { cadence } of effectiveAsks(workspace)) {
    if (cadence !== null) cadences.set(cadenceKey(cadence), cadence);
  }
  return [...cadences].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, cadence]) => cadence);
}

/** What the nearest rule that says it says. */
function nearest<Field extends keyof CollectionRule>(
  rules: readonly (CollectionRule | undefined)[],
  field: Field,
): CollectionRule[Field] {
  return rules.find((rule) => rule?.[field] !== undefined)?.[field];
}

/**
 * A stored workspace was checked, so an item that nobody can ask is of another version, which knew
 * a vendor for it. It is not asked; `apply` says why.
 */
function toAsks(items: readonly AskedProvider[]): readonly Ask[] {
  return items.map(askOf).filter((ask) => typeof ask !== "string");
}

/** 100,000 prompts share few lists. */
function remembered<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = make(key);
    known.set(key, value);
    return value;
  };
}

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
 * The vendor to ask when it was named: as the prompt's own rules say, else as those of any prompt,
 * so that a sweep asks one vendor for a provider; else in the usual way.
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

interface DeclaredCap {
  readonly callsPerDay?: number | undefined;
  readonly dollarsPerDay?: number | undefined;
}

/** The caps that a workspace declares; without any, nothing is limited. */
export function capsOf({ collection }: Pick<Workspace, "collection">): AccountCaps {
  const caps = collection?.caps;
  const byProvider = Object.entries(caps?.providers ?? {}).map(
    ([provider, cap]) => [provider as Provider, toCap(cap ?? {})] as const,
  );
  return { all: toCap(caps ?? {}), byProvider: Object.fromEntries(byProvider) };
}

function toCap({ callsPerDay, dollarsPerDay }: DeclaredCap): Cap {
  // Rounded: 0.29 dollars times a million is not a whole number.
  const micros = dollarsPerDay === undefined ? null : Math.round(dollarsPerDay * 1_000_000);
  return { calls: callsPerDay ?? null, micros };
}
