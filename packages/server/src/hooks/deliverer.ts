import { deliveryAttemptsMax } from "@sightline/contract";
import { type DeliveryOutcome, type DeliveryRecord, recordAttempt } from "./delivery-store.ts";
import { disableHook, hookById } from "./hook-store.ts";
import { recordSent } from "./record-sent.ts";
import { type SendingTools, type SentReply, sendInForm } from "./send-in-form.ts";

/** Dependencies of a delivery. */
export interface DelivererOptions extends SendingTools {
  /** Gives a number from 0 to below 1; `Math.random` when omitted. */
  readonly random?: () => number;
}

/** 410 Gone: the receiver wants no further events (RFC 9110, 15.5.11). */
const goneStatus = 410;

/** Whether the receiver wants no further events, or no mailbox is there. */
function isGone({ status, refused }: SentReply): boolean {
  return status === goneStatus || refused === "addresses";
}

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
    const sent = await sendInForm(this.#options, hook, { id, body: delivery.body }, signal);
    const durationMs = Math.round(clock.elapsed() - startedMs);
    const outcome = this.#outcomeOf(delivery, { ...sent, at, durationMs });
    await recordSent(() => recordAttempt(control, accountId, id, outcome));
    if (isGone(sent)) {
      await recordSent(() => disableHook(control, accountId, hookId, clock.now()));
    }
    return outcome;
  }

  #outcomeOf(
    delivery: DeliveryRecord,
    sent: SentReply & { at: number; durationMs: number },
  ): DeliveryOutcome {
    const { status, at, durationMs } = sent;
    const isDelivered = status !== null && status >= 200 && status < 300;
    // A mail may have been taken for some of its addresses: what is wrong with others is noted.
    const error = sent.error ?? (isDelivered ? null : `the receiver replied with ${status}`);
    const attempts = [...delivery.attempts, { at, status, durationMs, error }];
    if (isDelivered) return { state: "delivered", nextAt: null, attempts };
    const { clock, random = Math.random } = this.#options;
    const isRefused = sent.refused === "mail" || sent.refused === "tooMany";
    const isLast = delivery.event === "test" || isGone(sent) || isRefused;
    const waitMs = isLast ? null : retryDelayMs(attempts.length, random());
    if (waitMs === null) return { state: "failed", nextAt: null, attempts };
    return { state: "pending", nextAt: clock.now() + waitMs, attempts };
  }
}

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
