import type { CollectionsResponse, ListedCollection } from "@sightline/contract";
import type { AnswerStore } from "../answers/answer-store.ts";
import type { Control } from "../control/control.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logger.ts";
import { Collection } from "./collection.ts";
import type { CollectionConfig } from "./collection-config.ts";
import { listedCollections } from "./listed-outlook.ts";
import { listedSweep } from "./listed-sweep.ts";
import { outlookOf } from "./outlook.ts";
import { adapters } from "./providers/index.ts";
import { type PlanOrder, type PlanOutcome, planNow } from "./schedule/plan-now.ts";

export { isCollectionOff, reasonOf, startedCollection } from "./started-collection.ts";
export type { PlanOrder, PlanOutcome };

/** What a command collects on. */
export interface CollectionsHereTools {
  readonly control: Control;
  readonly answers: AnswerStore;
  readonly clock: Clock;
  readonly config: CollectionConfig;
  /** How many requests a vendor gets at a time. */
  readonly concurrency: number;
  readonly logger: Logger;
}

/** Collection of a command, which is not a service. */
export class CollectionsHere {
  readonly #tools: CollectionsHereTools;

  constructor(tools: CollectionsHereTools) {
    this.#tools = tools;
  }

  /** Plans a sweep for now, or says what it would be. */
  plan(order: PlanOrder): Promise<PlanOutcome> {
    const { control, clock, config } = this.#tools;
    const { prices, credentials } = config;
    return planNow({ control, clock, prices, adapters, vendors: credentials.vendors }, order);
  }

  /** As GET /v1/collections. */
  async list(accountId: string): Promise<CollectionsResponse> {
    const { control, clock } = this.#tools;
    const outlook = await outlookOf({ control, clock }, accountId);
    return listedCollections(control, accountId, { now: clock.now(), outlook });
  }

  /** Null: the account has no such sweep. */
  async get(accountId: string, sweepId: string): Promise<ListedCollection | null> {
    const sweep = await this.#tools.control.sweep(accountId, sweepId.toLowerCase());
    return sweep === null ? null : listedSweep(sweep);
  }

  /** Asks nothing more for a sweep. Null: the account has no such sweep. */
  async cancel(accountId: string, sweepId: string): Promise<ListedCollection | null> {
    await this.#tools.control.cancelSweep(accountId, sweepId.toLowerCase());
    return this.get(accountId, sweepId);
  }

  /** What asks, from this process. */
  collector(): Collection {
    const { config, ...tools } = this.#tools;
    return new Collection({ ...tools, ...config, adapters, random: Math.random });
  }
}
