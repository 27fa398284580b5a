import { z } from "zod";
import { vendors } from "./collection.ts";
import { dateTimeSchema } from "./filters.ts";
import { type DeclaredOperations, json } from "./operation.ts";
import { components, mayGrow } from "./schema-marks.ts";
import { strictObject } from "./strict-object.ts";

/** The address of an account's credentials of vendors; an addition to the interface. */
const vendorCredentialsPath = "/v1/collection/credentials";

/** The shortest credential: a shorter text may occur in any other. */
export const credentialCharactersMin = 8;
/** The longest credential. */
export const credentialCharactersMax = 4_096;

const vendorSchema = z.enum(vendors).meta(mayGrow);

/** Body of PUT /v1/collection/credentials/{vendor}. */
export const vendorCredentialRequestSchema = strictObject({
  credential: z
    .string()
    .meta({ examples: ["a-key-of-the-vendor"] })
    .describe(
      `The vendor's API key, or login:password of dataforseo: ${credentialCharactersMin} to ` +
        `${credentialCharactersMax} visible ASCII characters. No reply shows it.`,
    ),
}).register(components, { id: "VendorCredentialRequestDto" });

/** A credential of a vendor, never its value. */
export const vendorCredentialSchema = strictObject({
  vendor: vendorSchema,
  source: z
    .enum(["environment", "stored"])
    .meta(mayGrow)
    .describe(
      "Which one the account's sweeps use. `environment`: the service's own, which takes " +
        "precedence. `stored`: the account's.",
    ),
  storedAt: dateTimeSchema
    .nullable()
    .describe("When the account's own was stored. Null: there is none."),
}).register(components, { id: "VendorCredentialDto" });

/** Reply of GET /v1/collection/credentials. */
export const vendorCredentialsSchema = strictObject({
  credentials: z
    .array(vendorCredentialSchema)
    .describe("The vendors with a credential, in their order; others have none."),
}).register(components, { id: "VendorCredentialsResponseDto" });

/** Body of POST /v1/collection/credentials/{vendor}/test. */
export const credentialTestRequestSchema = strictObject({
  paid: z
    .boolean()
    .optional()
    .describe(
      "true: asks one paid question too, as a sweep would, which counts toward caps and " +
        "spending. Omitted: nothing that costs is asked.",
    ),
}).register(components, { id: "CredentialTestRequestDto" });

const dollarsSchema = z.number().min(0).describe("US dollars.");

/** Reply of POST /v1/collection/credentials/{vendor}/test. */
export const credentialTestSchema = strictObject({
  vendor: vendorSchema,
  isValid: z
    .boolean()
    .nullable()
    .describe("Whether the vendor accepts it. Null: not known, as nothing was asked or replied."),
  model: z.string().nullable().describe("The model that is asked. Null: the vendor has no list."),
  isListed: z.boolean().nullable().describe("Whether the vendor lists the model. Null: unknown."),
  canSearch: z
    .boolean()
    .nullable()
    .describe("Whether the model can search the web with it. Null: the vendor does not say."),
  citations: z
    .int()
    .min(0)
    .nullable()
    .describe("Pages that the answer of the paid question cites. Null: there is no answer."),
  fault: z.string().nullable().describe("What is wrong, for people. Null: nothing."),
  question: strictObject({
    expectedDollars: dollarsSchema,
    mostDollars: dollarsSchema,
  }).describe("What one paid question is expected to cost, and the most."),
}).register(components, { id: "CredentialTestDto" });

/** A credential of a vendor, never its value. */
export type VendorCredential = Readonly<z.infer<typeof vendorCredentialSchema>>;
/** Reply of GET /v1/collection/credentials. */
export type VendorCredentialsResponse = Readonly<z.infer<typeof vendorCredentialsSchema>>;
/** Body of POST /v1/collection/credentials/{vendor}/test. */
export type CredentialTestRequest = Readonly<z.infer<typeof credentialTestRequestSchema>>;
/** How a credential stands. */
export type CredentialTest = Readonly<z.infer<typeof credentialTestSchema>>;

const vendorInPath = [
  {
    name: "vendor",
    in: "path",
    required: true,
    description: "The vendor.",
    schema: { type: "string", enum: [...vendors] },
  },
] as const;

const path = `${vendorCredentialsPath}/{vendor}` as const;

/** The operations on the account's credentials of vendors. */
export const vendorCredentialOperations = {
  vendorCredentials: {
    summary: "List credentials of vendors",
    description: "Which vendors have a credential, and whose. No value is shown.",
    tag: "Collection",
    scope: "manage",
    method: "GET",
    path: vendorCredentialsPath,
    reply: { schema: vendorCredentialsSchema, description: "The credentials." },
  },
  storeVendorCredential: {
    summary: "Store a credential of a vendor",
    description:
      "Stores the account's credential of a vendor, encrypted, in place of the one before. Only " +
      "sweeps of this account use it, where the service has none of its own.",
    tag: "Collection",
    scope: "manage",
    method: "PUT",
    path,
    parameters: vendorInPath,
    body: json(vendorCredentialRequestSchema, { credential: "a-key-of-the-vendor" }),
    reply: { schema: vendorCredentialSchema, description: "The credential, without its value." },
    errors: ["not_found"],
  },
  deleteVendorCredential: {
    summary: "Delete a credential of a vendor",
    description: "Deletes the account's credential. Questions that are under way end with it.",
    tag: "Collection",
    scope: "manage",
    method: "DELETE",
    path,
    parameters: vendorInPath,
    reply: { schema: vendorCredentialSchema, description: "The credential, as it was." },
    errors: ["not_found"],
  },
  testVendorCredential: {
    summary: "Test a credential of a vendor",
    description:
      "Asks the vendor for its list of models, which is free, with the account's credential, and " +
      "one paid question if that is wanted.",
    tag: "Collection",
    scope: "manage",
    method: "POST",
    path: `${path}/test`,
    parameters: vendorInPath,
    body: json(credentialTestRequestSchema, {}),
    reply: { schema: credentialTestSchema, description: "How it stands." },
    errors: ["not_found", "overloaded"],
  },
} as const satisfies DeclaredOperations;
