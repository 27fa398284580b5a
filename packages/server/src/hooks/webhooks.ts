import type { ControlEngine } from "../control/control-engine.ts";
import type { Metrics } from "../platform/metrics.ts";
import { ServiceError } from "../platform/service-error.ts";
import { Deliverer, type DelivererOptions } from "./deliverer.ts";
import {
  claimDelivery,
  type DeliveryOutcome,
  type DeliveryRecord,
  deliveryDue,
  forgetDeliveries,
} from "./delivery-store.ts";
import { type EventCheckOptions, EventChecks } from "./event-checks.ts";
import type { HookRecord } from "./hook-store.ts";
import { claimMs, sendTest } from "./manage-hooks.ts";

/** What webhooks are run with. */
export interface WebhooksOptions extends DelivererOptions, EventCheckOptions {
  readonly control: ControlEngine;
  readonly metrics: Metrics;
}

const runningMax = 8;
/** So slow receivers of an account leave places for the others. */
const runningOfAccountMax = 2;

/**
 * Looks for the events of webhooks and delivers them, at least once each. Nodes claim what they do
 * by a conditional write, so one of them does it.
 */
export class Webhooks {
  readonly #options: WebhooksOptions;
  readonly #checks: EventChecks;
  readonly #deliverer: Deliverer;
  readonly #stop = new AbortController();
  /** The accounts of attempts under way. */
  readonly #running = new Map<Promise<void>, string>();
  #checking: Promise<void> = Promise.resolve();
  #starting: Promise<void> = Promise.resolve();

  constructor(options: WebhooksOptions) {
    this.#options = options;
    this.#checks = new EventChecks(options);
    this.#deliverer = new Deliverer(options);
  }

  /** Notes the events that are due. Calls wait for each other. */
  check(): Promise<void> {
    const { signal } = this.#stop;
    const checked = this.#checking.then(() =>
      signal.aborted ? undefined : this.#checks.run(signal),
    );
    this.#checking = checked.catch(() => undefined);
    return checked;
  }

  /** Begins the deliveries that are due, as many as there are places. */
  start(): Promise<void> {
    const started = this.#starting.then(() => this.#startDue());
    this.#starting = started.catch(() => undefined);
    return started;
  }

  /** Begins and ends all deliveries that are due. */
  async deliver(): Promise<void> {
    await this.start();
    while (this.#running.size > 0) {
      await Promise.race(this.#running.keys());
      await this.start();
    }
  }

  /** Forgets deliveries that are no longer listed. */
  async forget(): Promise<void> {
    const { control, clock } = this.#options;
    await forgetDeliveries(control, clock.now());
  }

  /**
   * Sends a test, whose caller waits for it.
   * @throws ServiceError overloaded when too many attempts, or two of the account, are under way.
   */
  async test(hook: HookRecord): Promise<DeliveryRecord> {
    if (!this.#hasPlace(hook.accountId)) {
      throw new ServiceError("overloaded", "Too many deliveries are under way; retry.", {
        headers: { "Retry-After": "1" },
      });
    }
    const sent = sendTest(this.#options, hook, (delivery) => this.#attempt(delivery));
    this.#track(hook.accountId, sent);
    return sent;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#starting;
    await this.#checking;
    await Promise.all(this.#running.keys());
  }

  async #startDue(): Promise<void> {
    const { control, clock } = this.#options;
    while (this.#running.size < runningMax && !this.#stop.signal.aborted) {
      // One at a time: who takes the next place depends on who runs now.
      const delivery = await deliveryDue(control, this.#busyAccounts(), clock.now());
      if (delivery === null) return;
      const isOwn = await claimDelivery(control, delivery, clock.now() + claimMs);
      if (isOwn) this.#track(delivery.accountId, this.#attempt(delivery));
    }
  }

  #hasPlace(accountId: string): boolean {
    return this.#running.size < runningMax && !this.#busyAccounts().includes(accountId);
  }

  #busyAccounts(): readonly string[] {
    const counts = new Map<string, number>();
    for (const id of this.#running.values()) counts.set(id, (counts.get(id) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= runningOfAccountMax).map(([id]) => id);
  }

  /** A caller that waits for the attempt learns of its failure; else it is logged and repeated. */
  #track(accountId: string, attempt: Promise<unknown>): void {
    const running = attempt
      .then(() => undefined)
      .catch((error: unknown) => {
        if (this.#stop.signal.aborted) return;
        this.#options.logger.error({ accountId, error: String(error) }, "a delivery failed");
      })
      .finally(() => this.#running.delete(running));
    this.#running.set(running, accountId);
  }

  async #attempt(delivery: DeliveryRecord): Promise<DeliveryOutcome> {
    const outcome = await this.#deliverer.attempt(delivery, this.#stop.signal);
    const result = outcome.state === "pending" ? "retried" : outcome.state;
    this.#options.metrics.hookDeliveries.inc({ event: delivery.event, result });
    return outcome;
  }
}
