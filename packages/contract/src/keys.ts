import { z } from "zod";
import { durationForm, durationPattern } from "./duration.ts";
import { dateTimeSchema } from "./filters.ts";
import { type DeclaredOperations, json } from "./operation.ts";
import { components, mayGrow } from "./schema-marks.ts";
import { scopes } from "./scopes.ts";
import { strictObject } from "./strict-object.ts";

/** The address of an account's keys; an addition to the interface. */
export const keysPath = "/v1/keys";

/** The most keys of an account that are valid at a time, when they are created over HTTP. */
export const validKeysMax = 1_000;
/** The most keys that one reply lists. */
export const listedKeysMax = 10_000;

/** The longest name of a key. */
const keyNameCharactersMax = 500;

const scopeSchema = z.enum(scopes).meta(mayGrow);

const rateSchema = z
  .string()
  .regex(/^(off|([1-9]\d{0,3}|10000)\/s)$/, { error: "must be 1/s to 10000/s, or off" })
  .meta({ examples: ["50/s"] });

const quotaSchema = z.union([z.int().min(1).max(1_000_000_000), z.literal("off")], {
  error: "must be an integer from 1 to 1000000000, or off",
});

/** Body of POST /v1/keys. */
export const keyRequestSchema = strictObject({
  name: z
    .string()
    .max(keyNameCharactersMax)
    .refine((name) => name.isWellFormed(), { error: "must not have an unpaired surrogate" })
    .optional()
    .describe("What the key is for. Omitted: empty."),
  scopes: z
    .array(z.enum(scopes))
    .min(1)
    .max(scopes.length)
    .optional()
    .describe("What the key may do: scopes of your own key. Omitted: `read`."),
  expiresIn: z
    .string()
    .regex(durationPattern, { error: `must be ${durationForm}` })
    .meta({ examples: ["90d"] })
    .nullish()
    .describe("How long the key is valid. Null or omitted: until it is revoked."),
  rate: rateSchema
    .nullish()
    .describe("Calls per second, at most those of your own key. Null or omitted: its rate."),
  quota: quotaSchema
    .nullish()
    .describe("Calls per UTC day, at most those of your own key. Null or omitted: its quota."),
}).register(components, { id: "KeyRequestDto" });

const keyFields = {
  keyId: z.string().describe("Identifies the key; may be logged."),
  name: z.string(),
  scopes: z.array(scopeSchema).describe("What the key may do."),
  createdAt: dateTimeSchema,
  expiresAt: dateTimeSchema.nullable().describe("Null: it is valid until it is revoked."),
  revokedAt: dateTimeSchema.nullable().describe("Null: it is not revoked."),
  lastUsedAt: dateTimeSchema
    .nullable()
    .describe("When it was last exchanged, to the minute. Null: it never was."),
  rate: rateSchema.nullable().describe("Calls per second. Null: the service's default."),
  quota: quotaSchema.nullable().describe("Calls per UTC day. Null: the service's default."),
  callsToday: z
    .int()
    .min(0)
    .nullable()
    .describe(
      "Calls that counted towards its quota on this UTC day, up to about a second ago. Null: it " +
        "has no quota, and its calls are not counted.",
    ),
  person: z
    .string()
    .nullable()
    .describe("The name of the person whose key it is. Null: nobody's, or no longer known."),
};

/** A key, never the key itself. */
export const keySchema = strictObject(keyFields).register(components, { id: "KeyDto" });

/** Reply of POST /v1/keys. */
export const createdKeySchema = strictObject({
  ...keyFields,
  key: z.string().describe("The key. A secret, which is not stored and not shown again."),
}).register(components, { id: "CreatedKeyResponseDto" });

/** Reply of GET /v1/keys. */
const keysResponseSchema = strictObject({
  keys: z
    .array(keySchema)
    .describe(`Oldest first, the revoked and expired too; the latest ${listedKeysMax}.`),
}).register(components, { id: "KeysResponseDto" });

/** Body of POST /v1/keys. */
export type KeyRequest = Readonly<z.infer<typeof keyRequestSchema>>;
/** A key, never the key itself. */
export type ListedKey = Readonly<z.infer<typeof keySchema>>;
/** Reply of POST /v1/keys. */
export type CreatedKeyResponse = Readonly<z.infer<typeof createdKeySchema>>;
/** Reply of GET /v1/keys. */
export type KeysResponse = Readonly<z.infer<typeof keysResponseSchema>>;

/** The operations on keys. */
export const keyOperations = {
  keys: {
    tag: "Keys",
    summary: "List keys",
    description: "The account's keys, never the keys themselves.",
    scope: "manage",
    method: "GET",
    path: keysPath,
    reply: { schema: keysResponseSchema, description: "The keys." },
  },
  createKey: {
    tag: "Keys",
    summary: "Create a key",
    description:
      "Creates a key and shows it, this once. It gets no scope and no higher limit than the key " +
      "which creates it has.",
    scope: "manage",
    method: "POST",
    path: keysPath,
    body: json(keyRequestSchema, { name: "reports", scopes: ["read"], expiresIn: "90d" }),
    reply: { schema: createdKeySchema, description: "The key." },
  },
  revokeKey: {
    tag: "Keys",
    summary: "Revoke a key",
    description:
      "Revokes a key, which ends its sessions immediately. Repeating it keeps the first instant.",
    scope: "manage",
    method: "DELETE",
    path: `${keysPath}/{keyId}`,
    parameters: [
      {
        name: "keyId",
        in: "path",
        required: true,
        description: "The key's id.",
        schema: { type: "string" },
      },
    ],
    reply: { schema: keySchema, description: "The key, revoked." },
    errors: ["not_found"],
  },
} as const satisfies DeclaredOperations;
