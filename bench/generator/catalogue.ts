import { type Provider, providers } from "@sightline/contract";
import { sightlineNamespace, uuidV5 } from "../../packages/server/src/platform/uuid.ts";
import type { Workload } from "./workload.ts";

/** A tracked entity of a workload; its number is its place among the series. */
interface CatalogueEntity {
  readonly id: string;
  readonly name: string;
  /** The only domain that it owns. */
  readonly domain: string;
}

/** A prompt of a workload; its number is its place. */
export interface CataloguePrompt {
  readonly id: string;
  /** The topic's number. */
  readonly topic: number;
  readonly branded: boolean;
}

/** What the account of a workload tracks. */
export interface Catalogue {
  /** The brand first. */
  readonly entities: readonly CatalogueEntity[];
  /** Ids. */
  readonly topics: readonly string[];
  readonly prompts: readonly CataloguePrompt[];
}

/** Every provider answers equally often. */
export const catalogueProviders: readonly Provider[] = providers;

/** Regions of the answers that have one. */
export const catalogueRegions = ["US", "DE", "GB", "FR", "JP", "BR"] as const;

/** Each so many prompts one is branded. */
const brandedEvery = 5;

/** The entities, topics and prompts of a workload. Ids do not depend on the account. */
export function catalogueOf(workload: Workload): Catalogue {
  const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);
  return {
    entities: numbers(workload.entities).map((number) => ({
      id: idOf("entity", number),
      name: number === 0 ? "Northwind" : `Rival ${padded(number, 3)}`,
      domain: number === 0 ? "northwind.com" : `rival-${padded(number, 3)}.com`,
    })),
    topics: numbers(workload.topics).map((number) => idOf("topic", number)),
    prompts: numbers(workload.prompts).map((number) => ({
      id: idOf("prompt", number),
      topic: Math.floor((number * workload.topics) / workload.prompts),
      branded: number % brandedEvery === 0,
    })),
  };
}

/** The workspace file of an account that tracks a catalogue. */
export function workspaceFileOf(catalogue: Catalogue, accountName: string): object {
  const [brand, ...competitors] = catalogue.entities.map(({ id, name, domain }) => {
    return { id, name, domains: [domain] };
  });
  const topicName = (number: number) => `Topic ${padded(number, 3)}`;
  return {
    account: { name: accountName },
    brand,
    competitors,
    topics: catalogue.topics.map((id, number) => ({ id, name: topicName(number) })),
    prompts: catalogue.prompts.map(({ id, topic, branded }, number) => {
      return { id, text: `Question ${padded(number, 5)}?`, topic: topicName(topic), branded };
    }),
  };
}

/** A number with leading zeros, so that texts are in the order of the numbers. */
export function padded(number: number, digits: number): string {
  return String(number).padStart(digits, "0");
}

function idOf(kind: string, number: number): string {
  return uuidV5(sightlineNamespace, `bench ${kind} ${number}`);
}
