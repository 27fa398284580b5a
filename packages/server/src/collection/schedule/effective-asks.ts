import { type Ask, type AskedProvider, askOf, type CollectionRule } from "@sightline/contract";
import type { Prompt, Workspace } from "../../accounts/workspace.ts";
import { type Cadence, cadenceKey } from "./cadence.ts";

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
export interface ReadsAsks {
  /** How those are asked of which the workspace says nothing; omitted: not at all. */
  readonly usual?: readonly Ask[];
  /** Whom to ask for it; omitted: as it is written. */
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
