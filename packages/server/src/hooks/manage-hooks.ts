import { randomUUID } from "node:crypto";
import {
  type HookEvent,
  type HookForm,
  type HookThreshold,
  hookEvents,
  isMailto,
  type ListedHookThreshold,
  mailtoOf,
  readMailto,
  thresholdDaysUnlessSaid,
} from "@sightline/contract";
import type { ControlEngine } from "../control/control-engine.ts";
import type { SecretBox } from "../keys/secret-box.ts";
import type { Clock } from "../platform/clock.ts";
import { nextCheck } from "./check-times.ts";
import { addDelivery, type DeliveryOutcome, type DeliveryRecord } from "./delivery-store.ts";
import { addHook, enableHook, type HookRecord } from "./hook-store.ts";
import { recordSent } from "./record-sent.ts";
import { newHookSecret } from "./sign-event.ts";

/** How long an attempt is claimed, longer than it takes: an abandoned one is retried afterwards. */
export const claimMs = 60_000;

/** Dependencies of creating and testing webhooks. */
export interface HookTools {
  readonly control: ControlEngine;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
}

/** The properties of a new webhook. They have been checked with `wantedHookFault`. */
export interface WantedHook {
  readonly url: string;
  /** What suits the URL when omitted. */
  readonly form?: HookForm | undefined;
  /** All when omitted. */
  readonly events?: readonly HookEvent[] | undefined;
  readonly thresholds?: readonly HookThreshold[] | undefined;
  readonly name?: string | undefined;
}

/** A new webhook with its secret, which is visible only now. */
export interface CreatedHook {
  readonly hook: HookRecord;
  readonly secret: string;
}

/**
 * Creates a webhook. Its first events are about days that are checked from now on.
 * @returns null: the account has as many as it may.
 */
export async function createHook(
  { control, secretBox, clock }: HookTools,
  accountId: string,
  { url, form = formOf(url), events = hookEvents, thresholds = [], name = "" }: WantedHook,
): Promise<CreatedHook | null> {
  const [id, secret] = [randomUUID(), newHookSecret()];
  const now = clock.now();
  const hook = await addHook(control, accountId, {
    id,
    url: normalUrl(url),
    form,
    name,
    events,
    thresholds: thresholds.map(listed),
    secret: secretBox.seal(secret, id),
    createdAt: now,
    nextCheckAt: nextCheck(events, now),
  });
  return hook === null ? null : { hook, secret };
}

/** What is sent to a URL unless said. */
function formOf(url: string): HookForm {
  return isMailto(url) ? "mail" : "json";
}

function normalUrl(url: string): string {
  const { addresses } = isMailto(url) ? readMailto(url) : { addresses: null };
  return addresses === null ? new URL(url).href : mailtoOf(addresses);
}

function listed({ days = thresholdDaysUnlessSaid, ...threshold }: HookThreshold) {
  return { ...threshold, days } satisfies ListedHookThreshold;
}

/**
 * Sends a test event once, through `attempt`. If it is delivered, a disabled webhook is enabled.
 * @returns the delivery after the attempt.
 */
export async function sendTest(
  { control, clock }: Pick<HookTools, "control" | "clock">,
  { accountId, id: hookId, events, disabledAt }: HookRecord,
  attempt: (delivery: DeliveryRecord) => Promise<DeliveryOutcome>,
): Promise<DeliveryRecord> {
  const id = `msg_${randomUUID().replaceAll("-", "")}`;
  const [createdAt, nextAt] = [clock.now(), clock.now() + claimMs];
  const timestamp = new Date(createdAt).toISOString();
  const data = { message: "A test of this webhook." };
  const body = JSON.stringify({ id, type: "test", timestamp, data });
  const event = { id, hookId, event: "test", body, createdAt, nextAt } as const;
  await addDelivery(control, accountId, event);
  const pending = { ...event, accountId, state: "pending", attempts: [] } as const;
  const outcome = await attempt(pending);
  if (disabledAt !== null && outcome.state === "delivered") {
    const now = clock.now();
    const times = { now, nextCheckAt: nextCheck(events, now) };
    await recordSent(() => enableHook(control, accountId, hookId, times));
  }
  return { ...pending, ...outcome, body: null };
}
