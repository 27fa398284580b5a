import { z } from "zod";
import { dateTimeSchema, uuidSchema } from "./filters.ts";
import { mailAddressesMax } from "./mail-address.ts";
import { type DeclaredOperations, idInPath, json } from "./operation.ts";
import { components, mayGrow } from "./schema-marks.ts";
import { strictObject } from "./strict-object.ts";
import {
  hookThresholdSchema,
  listedHookThresholdSchema,
  thresholdsMax,
} from "./webhook-thresholds.ts";

/** The address of an account's webhooks; an addition to the interface. */
export const hooksPath = "/v1/hooks";

/** The most webhooks of an account. */
export const hooksMax = 20;
/**
 * The most mailboxes that an account's webhooks mail on a UTC day, each counted as often as it gets
 * a mail: nobody confirms an address. Twenty reports for twenty people on a Monday are 400.
 */
export const mailedPerDayMax = 1_000;
/** The most deliveries of a webhook that are kept. */
export const deliveriesMax = 200;
/** For how many days. */
export const deliveriesKeptDays = 30;
/** How often an event is sent before it is given up. */
export const deliveryAttemptsMax = 6;

/** What a webhook can be sent, in addition to the event of a test. */
export const hookEvents = [
  "digest",
  "moved",
  "threshold-crossed",
  "collection-failed",
  "report-made",
] as const;

/** One of the events that a webhook can ask for. */
export type HookEvent = (typeof hookEvents)[number];

/** What events are sent as: signed JSON, a message of a chat, or a mail. */
export const hookForms = ["json", "slack", "teams", "discord", "mail"] as const;

/** One of the forms. */
export type HookForm = (typeof hookForms)[number];

const nameCharactersMax = 500;
/** The longest address of a webhook. */
export const hookUrlCharactersMax = 2_048;

const hookEventSchema = z.enum(hookEvents).meta(mayGrow);
const urlSchema = z
  .string()
  .max(hookUrlCharactersMax)
  .meta({ examples: ["https://hooks.example.com/sightline"] });

/** Body of POST /v1/hooks. */
export const hookRequestSchema = strictObject({
  url: urlSchema.describe(
    "Where events are sent: an https address that is not a private one, or mailto: and up to " +
      `${mailAddressesMax} comma-separated addresses of mailboxes.`,
  ),
  form: z
    .enum(hookForms)
    .optional()
    .describe(
      "What is sent: json, the signed event; or what it says in words, as a message of Slack, " +
        "Teams or Discord, or as a mail. Omitted: mail for a mailto address, else json.",
    ),
  events: z
    .array(z.enum(hookEvents))
    .min(1)
    .max(hookEvents.length)
    .optional()
    .describe(
      "Of what: the weekly digest, what moved, a threshold that was crossed, failing collection, " +
        "a report that was made. Omitted: all.",
    ),
  thresholds: z
    .array(hookThresholdSchema)
    .max(thresholdsMax)
    .optional()
    .describe("Values of the brand that are watched daily, for the event threshold-crossed."),
  name: z
    .string()
    .max(nameCharactersMax)
    .refine((name) => name.isWellFormed(), { error: "must not have an unpaired surrogate" })
    .optional()
    .describe("What the webhook is for. Omitted: empty."),
}).register(components, { id: "HookRequestDto" });

const hookFields = {
  id: uuidSchema,
  url: urlSchema,
  form: z.enum(hookForms).meta(mayGrow),
  events: z.array(hookEventSchema),
  thresholds: z.array(listedHookThresholdSchema),
  name: z.string(),
  createdAt: dateTimeSchema,
  createdBy: z
    .string()
    .nullable()
    .describe(
      "The name of the key, person or command's user that created it. Null: it was created " +
        "before this was noted.",
    ),
  disabledAt: dateTimeSchema
    .nullable()
    .describe(
      "When its receiver replied with 410, or the SMTP server refused all its mailboxes for " +
        "good, which ends its deliveries until a test succeeds. " +
        "Null: it is active.",
    ),
};

/** A webhook, never its secret. */
export const hookSchema = strictObject(hookFields).register(components, { id: "HookDto" });

/** Reply of POST /v1/hooks. */
export const createdHookSchema = strictObject({
  ...hookFields,
  secret: z
    .string()
    .describe(
      "What verifies the signatures of its deliveries: whsec_ and base64. Shown once. Mails are " +
        "not signed.",
    ),
}).register(components, { id: "CreatedHookResponseDto" });

/** Reply of GET /v1/hooks. */
const hooksResponseSchema = strictObject({
  hooks: z.array(hookSchema).describe("Oldest first."),
}).register(components, { id: "HooksResponseDto" });

/** An attempt to deliver an event. */
const attemptSchema = strictObject({
  at: dateTimeSchema,
  status: z
    .int()
    .nullable()
    .describe("The status of the reply, or the SMTP server's code. Null: there was none."),
  durationMs: z.int().min(0),
  error: z
    .string()
    .nullable()
    .describe("Why the attempt failed, or that a mail reached some addresses. Null: it succeeded."),
});

/** What became of a delivery. */
const deliveryStates = ["pending", "delivered", "failed"] as const;

/** An event for a webhook, and how its delivery went. */
export const deliverySchema = strictObject({
  id: z.string().describe("The header webhook-id of every attempt."),
  event: z.enum(["test", ...hookEvents]).meta(mayGrow),
  createdAt: dateTimeSchema,
  state: z.enum(deliveryStates).meta(mayGrow),
  nextAttemptAt: dateTimeSchema.nullable().describe("Null: there is no further attempt."),
  attempts: z.array(attemptSchema).describe(`Oldest first; at most ${deliveryAttemptsMax}.`),
}).register(components, { id: "DeliveryDto" });

/** Reply of GET /v1/hooks/{id}/deliveries. */
const deliveriesResponseSchema = strictObject({
  deliveries: z
    .array(deliverySchema)
    .describe(`Newest first: the latest ${deliveriesMax} of the last ${deliveriesKeptDays} days.`),
}).register(components, { id: "DeliveriesResponseDto" });

/** Body of POST /v1/hooks. */
export type HookRequest = Readonly<z.infer<typeof hookRequestSchema>>;
/** A webhook, never its secret. */
export type ListedHook = Readonly<z.infer<typeof hookSchema>>;
/** Reply of POST /v1/hooks. */
export type CreatedHookResponse = Readonly<z.infer<typeof createdHookSchema>>;
/** Reply of GET /v1/hooks. */
export type HooksResponse = Readonly<z.infer<typeof hooksResponseSchema>>;
/** An event for a webhook, and how its delivery went. */
export type ListedDelivery = Readonly<z.infer<typeof deliverySchema>>;
/** Reply of GET /v1/hooks/{id}/deliveries. */
export type DeliveriesResponse = Readonly<z.infer<typeof deliveriesResponseSchema>>;

const hookInPath = [idInPath("id", "The webhook's id.")] as const;

/** The operations on webhooks. */
export const hookOperations = {
  hooks: {
    tag: "Webhooks",
    summary: "List webhooks",
    description: "The account's webhooks, never their secrets.",
    scope: "manage",
    method: "GET",
    path: hooksPath,
    reply: { schema: hooksResponseSchema, description: "The webhooks." },
  },
  createHook: {
    tag: "Webhooks",
    summary: "Create a webhook",
    description:
      "Has events sent to an address, signed as Standard Webhooks says, and shows the secret " +
      "that verifies them, this once. Or has them sent as messages to a chat, or as mails.",
    scope: "manage",
    method: "POST",
    path: hooksPath,
    body: json(hookRequestSchema, {
      url: "https://hooks.example.com/sightline",
      events: ["digest", "moved"],
      name: "team channel",
    }),
    reply: { schema: createdHookSchema, description: "The webhook." },
  },
  deleteHook: {
    tag: "Webhooks",
    summary: "Delete a webhook",
    description: "Deletes a webhook and the log of its deliveries.",
    scope: "manage",
    method: "DELETE",
    path: `${hooksPath}/{id}`,
    parameters: hookInPath,
    reply: { schema: hookSchema, description: "The webhook, as it was." },
    errors: ["not_found"],
  },
  testHook: {
    tag: "Webhooks",
    summary: "Test a webhook",
    description:
      "Sends an event of the type test, once, and replies how that went. A test that succeeds " +
      "enables a webhook that was disabled.",
    scope: "manage",
    method: "POST",
    path: `${hooksPath}/{id}/test`,
    parameters: hookInPath,
    reply: { schema: deliverySchema, description: "The delivery, which has ended." },
    errors: ["not_found"],
  },
  hookDeliveries: {
    tag: "Webhooks",
    summary: "List deliveries",
    description: "What was sent to a webhook, and how it went.",
    scope: "manage",
    method: "GET",
    path: `${hooksPath}/{id}/deliveries`,
    parameters: hookInPath,
    reply: { schema: deliveriesResponseSchema, description: "The deliveries." },
    errors: ["not_found"],
  },
} as const satisfies DeclaredOperations;
