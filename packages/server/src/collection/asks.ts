import {
  type Ask,
  type AskedProvider,
  askOf,
  type CollectionRule,
  type Provider,
  type Vendor,
} from "@sightline/contract";
import { type Cadence, cadenceKey } from "../accounts/cadence.ts";
import type { Prompt, Workspace } from "../accounts/workspace.ts";
import type { AccountCaps, Cap } from "./store/collection-store.ts";

/** A prompt with its effective providers, schedule and regions. */
export interface EffectiveAsk {
  readonly prompt: Prompt;
  /** Null: only on demand. */
  readonly cadence: Cadence | null;
  /** At least one. */
  readonly asks: readonly Ask[];
  /** At least one; null: without a region. */
  readonly regions: readonly (string | null)[];
  readonly samples: number;
}

/** Options of reading asks from a workspace. */
interface ReadsAsks {
  /**
   * The asks of prompts for which the workspace declares none; omitted: such prompts are skipped.
   */
  readonly usual?: readonly Ask[];
  /** Chooses the vendor of an ask; omitted: as declared. */
  readonly chosen?: (ask: Ask) => Ask;
}

/**
 * The effective asks of each prompt, in the order of the workspace; prompts without any are
 * skipped.
 */
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

/** The regions of an ask: its own, else those of its prompt; at least one. */
export function regionsOf(
  { regions }: Pick<Ask, "regions">,
  around: readonly (string | null)[],
): readonly (string | null)[] {
  if (regions === undefined) return around;
  return regions.length === 0 ? [null] : regions;
}

/** The distinct cadences of a workspace, ordered by key. */
export function cadencesOf(workspace: Workspace): readonly Cadence[] {
  const cadences = new Map<string, Cadence>();
  for (const { cadence } of effectiveAsks(workspace)) {
    if (cadence !== null) cadences.set(cadenceKey(cadence), cadence);
  }
  return [...cadences].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, cadence]) => cadence);
}

/** The field's value in the nearest rule that has it. */
function nearest<Field extends keyof CollectionRule>(
  rules: readonly (CollectionRule | undefined)[],
  field: Field,
): CollectionRule[Field] {
  return rules.find((rule) => rule?.[field] !== undefined)?.[field];
}

/**
 * A stored workspace has been validated, so an item that cannot be asked was written by another
 * version, which knew a vendor for it. It is skipped; `apply` reports the reason.
 */
function toAsks(items: readonly AskedProvider[]): readonly Ask[] {
  return items.map(askOf).filter((ask) => typeof ask !== "string");
}

/** Caches by identity: 100,000 prompts share few lists. */
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

/** The selection of a sweep on demand; omitted fields: everything, as the workspace declares. */
export interface Selection {
  readonly promptIds?: ReadonlySet<string>;
  readonly topicIds?: ReadonlySet<string>;
  /** Replaces the workspace's providers; each is asked as the workspace declares it, if it does. */
  readonly providers?: ReadonlySet<Provider>;
  /** Only jobs of these vendors. */
  readonly vendors?: ReadonlySet<Vendor>;
  /** Replaces the workspace's regions. */
  readonly regions?: readonly string[];
  /** Replaces the workspace's samples. */
  readonly samples?: number;
}

/**
 * The effective asks of the selected prompts. Paused prompts are skipped, even when they are named.
 */
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

/** Drops the ask's own place. An ask that declares no region stays so. */
function inOtherRegions(ask: Ask): Ask {
  const { provider, surface, vendor, model } = ask;
  return ask.regions?.length === 0 ? ask : { provider, surface, vendor, model };
}

interface NamedProviders {
  readonly providers: ReadonlySet<Provider>;
  readonly chosen: (ask: Ask) => Ask;
}

/**
 * The asks of named providers: those of the prompt's own rules, else of any prompt, so that a sweep
 * asks one vendor per provider; else the defaults.
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

/** The caps that a workspace declares; what it does not declare is unlimited. */
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
