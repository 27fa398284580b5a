import { z } from "zod";
import { dateTimeSchema } from "./filters.ts";
import type { DeclaredOperations, Json } from "./operation.ts";
import { components, mayGrow } from "./schema-marks.ts";
import { strictObject } from "./strict-object.ts";

/** Where entries of the audit log are listed. */
const auditPath = "/v1/audit";

/** The most entries on a page. */
export const pageAuditMax = 100;

/** What the audit log tells of. */
export const auditActions = [
  "workspace.applied",
  "key.created",
  "key.revoked",
  "answers.imported",
  "import.undone",
  "answers.removed",
  "texts.removed",
  "labels.stored",
  "labels.removed",
  "link.created",
  "link.revoked",
  "webhook.created",
  "webhook.deleted",
  "webhook.disabled",
  "webhook.enabled",
  "credential.stored",
  "credential.deleted",
  "collection.started",
  "collection.cancelled",
  "collection.accepted",
  "report.made",
  "report.superseded",
  "account.created",
  "account.deleted",
  "account.arrived",
  "invitation.created",
  "invitation.withdrawn",
  "person.joined",
  "person.changed",
  "person.removed",
  "person.link_created",
] as const;

/** What an entry tells of. */
export type AuditAction = (typeof auditActions)[number];

/** The cause of a change. */
export const actorSchema = strictObject({
  kind: z
    .enum(["key", "person", "link", "command", "service"])
    .meta(mayGrow)
    .describe(
      "`key`: a caller of the API, or of the console with a key; `person`: somebody who is " +
        "signed in; `link`: the reader of a shared address; `command`: a user of a command on " +
        "the data; `service`: the service by itself.",
    ),
  id: z.string().nullable().describe("The id of the key, person or link. Null: it has none."),
  name: z
    .string()
    .describe("The name of the key, person or link, or the user's of the operating system."),
  requestId: z.string().nullable().describe("`X-Request-Id` of the call. Null: there was none."),
}).register(components, { id: "AuditActorDto" });

const sideSchema = z.record(z.string(), z.unknown()).nullable();

const auditEntrySchema = strictObject({
  sequence: z.int().min(1).describe("1 for the account's first entry, without gaps."),
  at: dateTimeSchema,
  actor: actorSchema,
  action: z.enum(auditActions).meta(mayGrow),
  subject: z
    .string()
    .nullable()
    .describe("The id of what was changed. Null: the account, or several things."),
  before: sideSchema.describe("What was there. Null: nothing."),
  after: sideSchema.describe("What is there now. Null: nothing."),
  hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe("SHA-256 of the entry and of the hash of the entry before it."),
}).register(components, { id: "AuditEntryDto" });

/** Reply of GET /v1/audit. */
export const auditResponseSchema = strictObject({
  entries: z.array(auditEntrySchema).describe("Newest first."),
  nextCursor: z.string().nullable().describe("For the next page. Null: this is the last."),
}).register(components, { id: "AuditResponseDto" });

/** Reply of GET /v1/audit. */
export type AuditResponse = Readonly<z.infer<typeof auditResponseSchema>>;

const narrowing = (name: string, description: string, schema: Json = { type: "string" }) => ({
  name,
  in: "query",
  description,
  schema,
});

/** The operations on the audit log. */
export const auditOperations = {
  audit: {
    tag: "Audit",
    summary: "List who changed what",
    description:
      "The account's audit log, newest first, by page: every change of the workspace, keys, " +
      "links, answers, labels, webhooks, credentials and collection, with its actor. Entries are " +
      "only added, in the transaction of what they tell of, and each has the hash of the one " +
      "before it.",
    scope: "manage",
    method: "GET",
    path: auditPath,
    parameters: [
      narrowing("action", "Only entries of this action.", { type: "string", enum: auditActions }),
      narrowing("actorId", "Only changes by this key, person or link."),
      narrowing("subject", "Only changes of what has this id."),
      narrowing("from", "Only entries from then on.", { type: "string", format: "date-time" }),
      narrowing("to", "Only entries before then.", { type: "string", format: "date-time" }),
      narrowing("limit", "Entries on the page.", {
        type: "integer",
        minimum: 1,
        maximum: pageAuditMax,
        default: pageAuditMax,
      }),
      narrowing("cursor", "`nextCursor` of the page before."),
    ],
    reply: { schema: auditResponseSchema, description: "A page of entries." },
  },
} as const satisfies DeclaredOperations;
