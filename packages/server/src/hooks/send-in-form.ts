import { mailedPerDayMax, readMailto, type WebhookEvent } from "@sightline/contract";
import { sightlineVersion } from "@sightline/contract/version";
import { accountNameOf } from "../accounts/account-store.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import type { SecretBox } from "../keys/secret-box.ts";
import type { Mailer, MailReply } from "../mail/mailer.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logger.ts";
import { retryWhileLocked } from "../platform/retry-while-locked.ts";
import { giveMailsBack, takeMails } from "./delivery-store.ts";
import { type ChatForm, chatBody, mailTexts } from "./forms.ts";
import type { HookRecord } from "./hook-store.ts";
import { messageOf } from "./message.ts";
import type { Message } from "./message-words.ts";
import { countUnsent } from "./record-sent.ts";
import type { EventReply, SendEvent } from "./send-event.ts";
import { signatureFields } from "./sign-event.ts";

/** Dependencies of sending an event. */
export interface SendingTools {
  readonly control: ControlEngine;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly secretBox: SecretBox;
  readonly send: SendEvent;
  /** Null: no SMTP server is set. */
  readonly mailer: Mailer | null;
  /** What addresses of the service begin with; null: it does not know. */
  readonly publicUrl: string | null;
}

/** An event as it is queued: `body` is its JSON. */
interface QueuedEvent {
  readonly id: string;
  readonly body: string;
}

/** What came of an attempt. */
export type SentReply = EventReply & {
  /** Of mails: what the server refused for good, or that they are too many on a day. */
  readonly refused?: MailReply["refused"] | "tooMany";
};

/**
 * Sends an event to a webhook once, in its form. Words are made at each attempt: what is queued is
 * the event alone.
 * @throws the signal's reason when it aborts. Before the event is sent: what control throws, of
 * which ServiceError overloaded when it stays locked. Once it is sent, nothing else.
 */
export async function sendInForm(
  tools: SendingTools,
  hook: HookRecord,
  event: QueuedEvent,
  signal: AbortSignal,
): Promise<SentReply> {
  switch (hook.form) {
    case "json":
      return sendSigned(tools, hook, event, signal);
    case "mail":
      return sendMail(tools, hook, event, signal);
    default: {
      const body = chatBody(hook.form satisfies ChatForm, await messageTo(tools, hook, event));
      return sendSigned(tools, hook, { ...event, body }, signal);
    }
  }
}

/** Chats do not verify signatures, but what stands before one may. */
async function sendSigned(
  { secretBox, clock, send }: SendingTools,
  hook: HookRecord,
  { id, body }: QueuedEvent,
  signal: AbortSignal,
): Promise<SentReply> {
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

const unreadable = "the secret cannot be decrypted: delete the webhook and create it anew";

async function sendMail(
  tools: SendingTools,
  hook: HookRecord,
  event: QueuedEvent,
  signal: AbortSignal,
): Promise<SentReply> {
  if (tools.mailer === null) return { status: null, error: noMailer };
  const { addresses, fault } = readMailto(hook.url);
  if (addresses === null) return { status: null, error: `the address ${fault}` };
  const { control, clock, mailer } = tools;
  const { accountId } = hook;
  const mailed = { mailboxes: addresses.length, now: clock.now() };
  const texts = mailTexts(await messageTo(tools, hook, event));
  if (!(await countUnsent(() => takeMails(control, accountId, mailed)))) return tooManyMails;
  let isTaken = false;
  try {
    const sent = await mailer.send({ id: event.id, to: addresses, ...texts }, signal);
    isTaken = sent.status !== null && sent.status < 300;
    return sent;
  } finally {
    if (!isTaken) await uncount(tools, accountId, mailed); // also when the service stops
  }
}

/** A count that stays too high until midnight matters less than what came of the mail. */
async function uncount(
  { control, logger }: SendingTools,
  accountId: string,
  mailed: Parameters<typeof giveMailsBack>[2],
): Promise<void> {
  try {
    await retryWhileLocked(() => giveMailsBack(control, accountId, mailed));
  } catch (error) {
    const fields = { accountId, mailboxes: mailed.mailboxes, error: String(error) };
    logger.warn(fields, "a mail that was not taken stays counted");
  }
}

/** Sent on the next day, they would fill that one: a flood ends with its day. */
const tooManyMails: SentReply = {
  status: null,
  error:
    `the account's webhooks have mailed as many as ${mailedPerDayMax} mailboxes since midnight, ` +
    "UTC: the mail is not sent",
  refused: "tooMany",
};

const noMailer = "the service sends no mails: SIGHTLINE_SMTP_URL is not set";

async function messageTo(
  { control, publicUrl }: SendingTools,
  { accountId }: HookRecord,
  { body }: QueuedEvent,
): Promise<Message> {
  const accountName = (await accountNameOf(control, accountId)) ?? accountId;
  return messageOf(JSON.parse(body) as WebhookEvent, { accountId, accountName, publicUrl });
}
