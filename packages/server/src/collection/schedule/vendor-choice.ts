import {
  type Ask,
  askOf,
  type CollectionRule,
  type Provider,
  type Vendor,
  vendorsOf,
} from "@sightline/contract";
import type { Workspace } from "../../accounts/workspace.ts";
import type { Surface } from "../../answers/answer.ts";

/** How a vendor stands when a sweep is planned. */
export interface VendorStanding {
  /** Whether a process that collects has its credential. */
  readonly hasCredential: boolean;
  /** Why another one is asked where there is one, for people; null: it can be asked. */
  readonly fault: string | null;
}

/** A vendor that would be asked first and is not. */
export interface SkippedVendor {
  readonly provider: Provider;
  readonly surface: Surface;
  readonly vendor: Vendor;
  /** For people. */
  readonly reason: string;
}

/** Whom a sweep asks for a provider on a surface: always the same. */
export interface VendorChoice {
  /** The ask, of the vendor that is chosen. */
  readonly chosen: (ask: Ask) => Ask;
  /** Those before it in the list; empty: the first is asked, or nobody could choose. */
  readonly skipped: (ask: Pick<Ask, "provider" | "surface">) => readonly SkippedVendor[];
}

/** What a choice depends on. */
export interface ChoosesBy {
  readonly standingOf: (vendor: Vendor) => VendorStanding;
  /** Of parts of the sweep that are planned already: these stay. */
  readonly parts?: readonly Pick<Ask, "provider" | "surface" | "vendor">[];
}

/**
 * Chooses for each provider and surface the vendor that its planned part or the workspace names;
 * else the first of the list without a fault, else the first with a credential, else the first.
 */
export function vendorChoice(
  workspace: Workspace,
  { standingOf, parts = [] }: ChoosesBy,
): VendorChoice {
  const bound = new Map([...namedAsks(workspace), ...parts].map((each) => [keyOf(each), each]));
  const chosenOf = ({ provider, surface }: Pick<Ask, "provider" | "surface">) => {
    const able = vendorsOf[provider][surface] ?? [];
    const named = bound.get(keyOf({ provider, surface }))?.vendor;
    const vendor =
      named ??
      able.find((each) => standingOf(each).fault === null) ??
      able.find((each) => standingOf(each).hasCredential) ??
      able[0];
    return { able, vendor, isNamed: named !== undefined };
  };
  return {
    chosen: (ask) => ({ ...ask, vendor: chosenOf(ask).vendor ?? ask.vendor }),
    skipped: ({ provider, surface }) => {
      const { able, vendor, isNamed } = chosenOf({ provider, surface });
      if (isNamed || vendor === undefined) return [];
      return able.slice(0, able.indexOf(vendor)).map((each) => {
        const reason = standingOf(each).fault ?? "";
        return { provider, surface, vendor: each, reason };
      });
    },
  };
}

/** The asks whose vendor the workspace names; one vendor for each provider on a surface. */
function* namedAsks({ collection, topics, prompts }: Workspace): Generator<Ask> {
  yield* namedIn(collection);
  for (const topic of topics) yield* namedIn(topic.collection);
  for (const prompt of prompts) yield* namedIn(prompt.collection);
}

function* namedIn(rule: CollectionRule | undefined): Generator<Ask> {
  for (const item of rule?.providers ?? []) {
    if (typeof item === "string" || item.vendor === undefined) continue;
    const ask = askOf(item);
    if (typeof ask !== "string") yield ask;
  }
}

function keyOf({ provider, surface }: Pick<Ask, "provider" | "surface">): string {
  return `${provider} ${surface}`;
}
