import { actingFor, type ControlEngine } from "../control/control-engine.ts";
import type { Actor } from "../platform/actor.ts";
import type { Clock } from "../platform/clock.ts";
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

/** Dependencies of checking and delivering events. */
export interface WebhooksOptions extends DelivererOptions, EventCheckOptions {
  readonly control: ControlEngine;
  readonly metrics: Metrics;
}

const runningMax = 8;
/** Slow receivers of one account do not block those of others. */
const runningOfAccountMax = 2;

/** So many tests of an account's mails are sent in an hour, whichever webhooks they are of. */
const testsMax = 10;
const hourMs = 3_600_000;

/**
 * Bounds the tests that somebody can have mailed to any address; a day's limit bounds all mails.
 * Counted by each node, until it ends.
 */
class MailTests {
  readonly #clock: Pick<Clock, "now">;
  /** When an account's tests of the last hour were sent. */
  readonly #sent = new Map<string, readonly number[]>();

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /** Counts a test. @throws ServiceError rate_limited when it is one too many. */
  begin(accountId: string): void {
    const now = this.#clock.now();
    for (const [id, times] of this.#sent) {
      const recent = times.filter((time) => time > now - hourMs);
      if (recent.length === 0) this.#sent.delete(id);
      else this.#sent.set(id, recent);
    }
    const sent = this.#sent.get(accountId) ?? [];
    const [oldest = now] = sent;
    if (sent.length >= testsMax) throw tooMany(oldest + hourMs - now);
    this.#sent.set(accountId, [...sent, now]);
  }
}

function tooMany(waitMs: number): ServiceError {
  const detail = `An account may send ${testsMax} tests by mail in an hour.`;
  const headers = { "Retry-After": String(Math.ceil(waitMs / 1_000)) };
  return new ServiceError("rate_limited", detail, { headers });
}

/**
 * Checks webhooks for events and delivers them at least once. Nodes share the work: each check and
 * each delivery is claimed with a conditional update.
 */
export class Webhooks {
  readonly #options: WebhooksOptions;
  readonly #checks: EventChecks;
  readonly #deliverer: Deliverer;
  readonly #mailTests: MailTests;
  readonly #stop = new AbortController();
  /** Running attempts and their accounts. */
  readonly #running = new Map<Promise<void>, string>();
  #checking: Promise<void> = Promise.resolve();
  #starting: Promise<void> = Promise.resolve();

  constructor(options: WebhooksOptions) {
    this.#options = options;
    this.#checks = new EventChecks(options);
    this.#deliverer = new Deliverer(options);
    this.#mailTests = new MailTests(options.clock);
  }

  /**
   * Checks the webhooks that are due and queues their events. Concurrent calls run one after
   * another.
   */
  check(): Promise<void> {
    const { signal } = this.#stop;
    const checked = this.#checking.then(() =>
      signal.aborted ? undefined : this.#checks.run(signal),
    );
    this.#checking = checked.catch(() => undefined);
    return checked;
  }

  /** Starts due deliveries, up to the concurrency limits. */
  start(): Promise<void> {
    const started = this.#starting.then(() => this.#startDue());
    this.#starting = started.catch(() => undefined);
    return started;
  }

  /** Runs all due deliveries to their end. */
  async deliver(): Promise<void> {
    await this.start();
    while (this.#running.size > 0) {
      await Promise.race(this.#running.keys());
      await this.start();
    }
  }

  /** Deletes deliveries that are no longer listed. */
  async forget(): Promise<void> {
    const { control, clock } = this.#options;
    await forgetDeliveries(control, clock.now());
  }

  /**
   * Sends a test event for `by` and waits for its outcome.
   * @throws ServiceError overloaded when the service or the account has too many running attempts;
   * rate_limited when the account has sent too many tests by mail.
   */
  async test(hook: HookRecord, by: Actor): Promise<DeliveryRecord> {
    if (!this.#hasPlace(hook.accountId)) {
      throw new ServiceError("overloaded", "Too many deliveries are under way; retry.", {
        headers: { "Retry-After": "1" },
      });
    }
    if (hook.form === "mail") this.#mailTests.begin(hook.accountId);
    const { control, clock } = this.#options;
    const tools = { control: actingFor(control, by), clock };
    const sent = sendTest(tools, hook, (delivery) => this.#attempt(delivery));
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
      // One at a time: which account is next depends on the running attempts.
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

  /** A failure is logged and the delivery retried; a waiting caller also gets the error. */
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
