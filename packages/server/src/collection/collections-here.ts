import type { CollectionsResponse, ListedCollection } from "@sightline/contract";
import type { AnswerStore } from "../answers/answer-store.ts";
import type { Control } from "../control/control.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logger.ts";
import { Collection } from "./collection.ts";
import type { CollectionConfig } from "./collection-config.ts";
import { listedCollections } from "./listed-collections.ts";
import { listedSweep } from "./listed-sweep.ts";
import { type PlanOrder, type PlanOutcome, planNow } from "./schedule/plan-now.ts";
import { acceptPart } from "./store/part-store.ts";
import { adapters } from "./vendors/index.ts";

export { isCollectionOff, reasonOf, startedCollection } from "./started-collection.ts";
export type { PlanOrder, PlanOutcome };

/** What collection works on. */
export interface CollectionsHereTools {
  readonly control: Control;
  readonly answers: AnswerStore;
  readonly clock: Clock;
  readonly config: CollectionConfig;
  /** How many requests a vendor gets at a time. */
  readonly concurrency: number;
  readonly logger: Logger;
}

/** What collects, and what it is told: of a command, or of the thread of a service. */
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
  list(accountId: string, now = this.#tools.clock.now()): Promise<CollectionsResponse> {
    return listedCollections(this.#tools, accountId, now);
  }

  /** Null: the account has no such sweep. */
  async get(accountId: string, sweepId: string): Promise<ListedCollection | null> {
    const sweep = await this.#tools.control.sweep(accountId, sweepId.toLowerCase());
    return sweep === null ? null : listedSweep(sweep);
  }

  /** Sends no further question of a sweep. Null: the account has no such sweep. */
  async cancel(
    accountId: string,
    sweepId: string,
    now = this.#tools.clock.now(),
  ): Promise<ListedCollection | null> {
    await this.#tools.control.cancelSweep(accountId, sweepId.toLowerCase(), now);
    return this.get(accountId, sweepId);
  }

  /**
   * Lets the parts of a sweep that are held back count as they are. Null: the account has no such
   * sweep.
   */
  async accept(accountId: string, sweepId: string): Promise<ListedCollection | null> {
    const id = sweepId.toLowerCase();
    const sweep = await this.#tools.control.sweep(accountId, id);
    for (const { provider, surface, suspicious } of sweep?.parts ?? []) {
      if (suspicious.length === 0) continue;
      await acceptPart(this.#tools.control, { accountId, sweepId: id, provider, surface });
    }
    return this.get(accountId, id);
  }

  /** What asks, from this process. */
  collector(): Collection {
    const { config, ...tools } = this.#tools;
    return new Collection({ ...tools, ...config, adapters, random: Math.random });
  }
}
