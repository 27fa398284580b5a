import { deliveryAttemptsMax } from "@sightline/contract";
import { sightlineVersion } from "@sightline/contract/version";
import type { ControlEngine } from "../control/control-engine.ts";
import type { SecretBox } from "../keys/secret-box.ts";
import type { Clock } from "../platform/clock.ts";
import { type DeliveryOutcome, type DeliveryRecord, recordAttempt } from "./delivery-store.ts";
import { disableHook, type HookRecord, hookById } from "./hook-store.ts";
import { recordSent } from "./record-sent.ts";
import type { EventReply, SendEvent } from "./send-event.ts";
import { signatureFields } from "./sign-event.ts";

/** Dependencies of a delivery. */
export interface DelivererOptions {
  readonly control: ControlEngine;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly send: SendEvent;
  /** Gives a number from 0 to below 1; `Math.random` when omitted. */
  readonly random?: () => number;
}

/** 410 Gone: the receiver wants no further events (RFC 9110, 15.5.11). */
const goneStatus = 410;

/** Attempts deliveries and records their outcome. */
export class Deliverer {
  readonly #options: DelivererOptions;

  constructor(options: DelivererOptions) {
    this.#options = options;
  }

  /**
   * Makes one attempt of a delivery that the caller has claimed.
   * @returns its state after the attempt.
   * @throws the signal's reason when it aborts; nothing is recorded then.
   */
  async attempt(delivery: DeliveryRecord, signal: AbortSignal): Promise<DeliveryOutcome> {
    const { control, clock } = this.#options;
    const { accountId, hookId, id } = delivery;
    const hook = await hookById(control, accountId, hookId);
    const isTest = delivery.event === "test";
    // A test also reaches a disabled webhook, to enable it.
    const isWanted = hook !== null && (isTest || hook.disabledAt === null);
    if (!isWanted || delivery.body === null) {
      const ended = { state: "failed", nextAt: null, attempts: delivery.attempts } as const;
      await recordAttempt(control, accountId, id, ended);
      return ended;
    }
    const at = clock.now();
    const startedMs = clock.elapsed();
    const sent = await this.#send(hook, { ...delivery, body: delivery.body }, signal);
    const durationMs = Math.round(clock.elapsed() - startedMs);
    const outcome = this.#outcomeOf(delivery, { ...sent, at, durationMs });
    await recordSent(() => recordAttempt(control, accountId, id, outcome));
    if (sent.status === goneStatus) {
      await recordSent(() => disableHook(control, accountId, hookId, clock.now()));
    }
    return outcome;
  }

  async #send(
    hook: HookRecord,
    { id, body }: { readonly id: string; readonly body: string },
    signal: AbortSignal,
  ): Promise<EventReply> {
    const { secretBox, clock, send } = this.#options;
    let secret: string;
    try {
      secret = secretBox.open(hook.secret, hook.id);
    } catch {
      return { status: null, error: unreadable };
    }
    const headers = {
      "content-type": "application/json",
      "user-agent": `sightline/${sightlineVersion}`,
      ...signatureFields({ id, atMs: clock.now(), body }, secret),
    };
    return send({ url: hook.url, headers, body }, signal);
  }

  #outcomeOf(
    delivery: DeliveryRecord,
    { status, at, durationMs, ...sent }: EventReply & { at: number; durationMs: number },
  ): DeliveryOutcome {
    const isDelivered = status !== null && status >= 200 && status < 300;
    const error = isDelivered ? null : (sent.error ?? `the receiver replied with ${status}`);
    const attempts = [...delivery.attempts, { at, status, durationMs, error }];
    if (isDelivered) return { state: "delivered", nextAt: null, attempts };
    const { clock, random = Math.random } = this.#options;
    const isLast = delivery.event === "test" || status === goneStatus;
    const waitMs = isLast ? null : retryDelayMs(attempts.length, random());
    if (waitMs === null) return { state: "failed", nextAt: null, attempts };
    return { state: "pending", nextAt: clock.now() + waitMs, attempts };
  }
}

const unreadable = "the secret cannot be decrypted: delete the webhook and create it anew";

/** Delays after each failed attempt: a restart takes a minute, an outage a night. */
const minutes = [1, 5, 30, 120, 480];
/** Spreads the retries of receivers that failed together. */
const jitter = 0.2;

/**
 * The delay before the next attempt, in milliseconds; null: there is no further attempt.
 * @param attempts how many have failed. @param random from 0 to below 1.
 */
function retryDelayMs(attempts: number, random: number): number | null {
  const wait = attempts < deliveryAttemptsMax ? minutes[attempts - 1] : undefined;
  if (wait === undefined) return null;
  return Math.round(wait * 60_000 * (1 - jitter + 2 * jitter * random));
}
