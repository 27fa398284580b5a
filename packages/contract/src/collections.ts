import { z } from "zod";
import { vendors } from "./collection.ts";
import { regionSchema, samplesMax } from "./file-collection.ts";
import { dateTimeSchema, filterItemsMax, providerSchema, uuidSchema } from "./filters.ts";
import { type DeclaredOperations, idInPath, json } from "./operation.ts";
import { providers } from "./providers.ts";
import { components, mayGrow } from "./schema-marks.ts";
import { strictObject } from "./strict-object.ts";

/** The address of an account's sweeps; an addition to the interface. */
export const collectionsPath = "/v1/collections";

/** The most sweeps that a list has. */
export const sweepsListedMax = 50;
/** The most reasons of failures that a part shows. */
const reasonsListedMax = 10;

const vendorSchema = z
  .enum(vendors)
  .meta(mayGrow)
  .describe(
    "Who is asked: the provider itself, or a vendor of what its page shows. `reader`: the model " +
      "that reads answers of the provider.",
  );
const surfaceSchema = z
  .enum(["api", "web"])
  .meta(mayGrow)
  .describe("`api`: the provider's interface for programs. `web`: its page for people.");
const dollarsSchema = z.number().min(0).describe("US dollars.");
const countSchema = z.int().min(0);

/** Body of POST /v1/collections. */
export const collectionRequestSchema = strictObject({
  promptIds: z
    .array(uuidSchema)
    .min(1)
    .max(filterItemsMax)
    .optional()
    .describe("Only these prompts. Not together with `topics`."),
  topics: z
    .array(strictObject({ id: uuidSchema }))
    .min(1)
    .max(filterItemsMax)
    .optional()
    .describe("Only prompts of these topics. Not together with `promptIds`. Omitted: all."),
  providers: z
    .array(z.enum(providers))
    .min(1)
    .max(providers.length)
    .optional()
    .describe(
      "Asks these, as the workspace says or else in the usual way. Omitted: those that the " +
        "workspace says of each prompt.",
    ),
  regions: z
    .array(regionSchema)
    .min(1)
    .max(50)
    .optional()
    .describe("Asks for these, in place of what the workspace says."),
  samples: z
    .int()
    .min(1)
    .max(samplesMax)
    .optional()
    .describe("How often each prompt is asked, in place of what the workspace says."),
  dryRun: z
    .boolean()
    .optional()
    .describe("true: says what it would ask and cost, and sends no question."),
})
  .refine(({ promptIds, topics }) => promptIds === undefined || topics === undefined, {
    path: ["promptIds"],
    params: { code: "excluded" },
    error: "cannot be combined with topics. Send one of the two",
  })
  .meta({
    not: {
      required: ["topics", "promptIds"],
      properties: { topics: { type: "array" }, promptIds: { type: "array" } },
    },
  })
  .register(components, { id: "CollectionRequestDto" });

/** What jobs of a provider are expected to use and cost. */
const collectionEstimateSchema = strictObject({
  provider: providerSchema,
  surface: surfaceSchema,
  vendor: vendorSchema,
  jobs: countSchema.describe("Questions: prompts × regions × samples."),
  calls: countSchema.describe("Paid requests."),
  inputTokens: countSchema,
  outputTokens: countSchema,
  searches: countSchema,
  dollars: dollarsSchema,
  verified: z
    .boolean()
    .describe("false: a price was not found in a copy of the vendor's own page."),
  unlistedModels: z
    .array(z.string())
    .optional()
    .describe(
      "Models without a price of their own, which cost as the vendor's dearest. Omitted: none.",
    ),
  hasCredential: z
    .boolean()
    .describe(
      "false: no process that collects has a credential of the vendor, and nothing of this is " +
        "asked. In a dry run alone.",
    ),
  skipped: z
    .array(strictObject({ vendor: vendorSchema, reason: z.string().describe("For people.") }))
    .optional()
    .describe(
      "Vendors that would be asked first, in their order, and why they are not. Omitted: none.",
    ),
}).register(components, { id: "CollectionEstimateDto" });

/** Jobs that will have no answer. */
const unansweredJobsSchema = strictObject({
  provider: providerSchema,
  surface: surfaceSchema,
  vendor: vendorSchema,
  reason: z.string().describe("For people."),
  jobs: countSchema,
}).register(components, { id: "UnansweredJobsDto" });

/** Reply of POST /v1/collections. */
export const startedCollectionSchema = strictObject({
  id: uuidSchema.nullable().describe("The sweep. Null: it was a dry run."),
  jobs: countSchema.describe("Of all estimates together, also of those without a credential."),
  dollars: dollarsSchema.describe("Of all estimates together, also of those without a credential."),
  pricesDate: z.string().describe("The day of the price list: YYYY-MM-DD."),
  estimates: z.array(collectionEstimateSchema).describe("By provider and surface."),
  unanswered: z
    .array(unansweredJobsSchema)
    .describe(
      "Jobs that will have no answer: nobody has a credential of the vendor, or the vendor does " +
        "not take what is asked. The latter are not estimated, the former in a dry run alone.",
    ),
  warnings: z
    .array(z.string())
    .optional()
    .describe(
      "For people: a cap that is below what one question may cost, a model without a price. " +
        "Omitted: none.",
    ),
}).register(components, { id: "StartedCollectionDto" });

/** Jobs that failed for one reason. */
const failedJobsSchema = strictObject({ reason: z.string(), jobs: countSchema });

/** A provider on a surface of a sweep: what counts as a whole. */
const collectionPartSchema = strictObject({
  provider: providerSchema,
  surface: surfaceSchema,
  vendor: vendorSchema,
  jobs: countSchema,
  queued: countSchema,
  underWay: countSchema,
  done: countSchema.describe("Answered."),
  failed: z
    .array(failedJobsSchema)
    .describe(`By reason, the most frequent first, at most ${reasonsListedMax}.`),
  warnings: z
    .array(strictObject({ reason: z.string(), answers: countSchema }))
    .describe(
      "Sources that could not be read and were dropped, by reason, once the answers were read; " +
        `the answers count. The most frequent first, at most ${reasonsListedMax}.`,
    ),
  suspicious: z
    .array(z.string())
    .describe(
      "Why its answers look wrong beside those of earlier sweeps, for people: they do not count " +
        "until an operator accepts them. Empty: they do not look wrong.",
    ),
  missing: countSchema.describe("Without an answer: so far, and for good once it is published."),
  spentDollars: dollarsSchema,
  heldUntil: dateTimeSchema
    .nullable()
    .describe("A cap of the day is reached: what is queued waits until then. Null: it does not."),
  publishedAt: dateTimeSchema
    .nullable()
    .describe("When its answers began to count, all together. Null: they do not count yet."),
}).register(components, { id: "CollectionPartDto" });

/** A sweep, and how it stands. */
export const collectionSchema = strictObject({
  id: uuidSchema,
  slot: dateTimeSchema.describe("The time that it is of."),
  source: z
    .enum(["schedule", "now"])
    .meta(mayGrow)
    .describe("`schedule`: by the workspace's cadence. `now`: somebody asked for it."),
  createdAt: dateTimeSchema,
  deadline: dateTimeSchema.describe("When what is not answered is given up."),
  cancelledAt: dateTimeSchema.nullable().describe("Null: it was not."),
  endedAt: dateTimeSchema
    .nullable()
    .describe("When its last part was published. Null: it is under way."),
  jobs: countSchema,
  done: countSchema.describe("Answered."),
  missing: countSchema.describe("Without an answer: so far, and for good once it has ended."),
  spentDollars: dollarsSchema,
  parts: z.array(collectionPartSchema).describe("By provider, then surface."),
}).register(components, { id: "CollectionDto" });

/** How a vendor stands. */
const vendorHealthSchema = strictObject({
  vendor: vendorSchema,
  state: z
    .enum(["ready", "no-credential", "waiting", "stopped", "suspicious"])
    .meta(mayGrow)
    .describe(
      "`ready`: it is asked. `no-credential`: no node that collects has one. `waiting`: for a " +
        "limit or after failures. `stopped`: it refuses the credential or the balance. " +
        "`suspicious`: it is asked, and answers of this account look wrong and are held back.",
    ),
  until: dateTimeSchema.nullable().describe("When it is tried again. Null: it is ready, or unset."),
  reason: z.string().nullable().describe("Why it is not asked, or suspicious. Null: it is ready."),
  lastError: strictObject({ at: dateTimeSchema, reason: z.string() })
    .nullable()
    .describe("The last failure that was the vendor's. Null: none since the nodes started."),
  requests: countSchema.describe("Since the nodes started."),
  failed: countSchema.describe("Of these, the ones that failed."),
  untold: countSchema.describe(
    "Answers whose reply did not say what it used: they cost what is expected.",
  ),
}).register(components, { id: "VendorHealthDto" });

/** What was spent with a provider. */
const providerSpendSchema = strictObject({
  provider: providerSchema,
  calls: countSchema.describe("Paid requests."),
  dollars: dollarsSchema,
  assumedDollars: dollarsSchema.describe(
    "The part of `dollars` that is assumed: by the expected usage, where a reply did not say " +
      "what it used, or by the price of another model.",
  ),
  reservedDollars: dollarsSchema.describe("The most that what is under way costs in addition."),
  unsettledDollars: dollarsSchema.describe(
    "The most that calls cost whose reply never came: the vendor may have billed them.",
  ),
  expectedDollars: dollarsSchema.describe(
    "The part of `unsettledDollars` that those calls are expected to have cost: an hour after " +
      "they were cut off, caps count no more than this.",
  ),
}).register(components, { id: "ProviderSpendDto" });

/** A cadence, and when it comes next. */
const nextSlotSchema = strictObject({
  cron: z.string(),
  timeZone: z.string(),
  at: dateTimeSchema,
}).register(components, { id: "NextSlotDto" });

/** Reply of GET /v1/collections. */
export const collectionsResponseSchema = strictObject({
  collections: z.array(collectionSchema).describe(`Newest first: the latest ${sweepsListedMax}.`),
  next: z
    .array(nextSlotSchema)
    .describe("When the workspace's cadences come next, the first first."),
  collectors: countSchema.describe("How many processes collect. 0: nothing is asked."),
  vendors: z.array(vendorHealthSchema).describe("Every vendor."),
  spend: strictObject({
    today: z.array(providerSpendSchema).describe("Of this UTC day, by provider."),
    month: z.array(providerSpendSchema).describe("Of this UTC month, by provider."),
  }),
}).register(components, { id: "CollectionsResponseDto" });

/** Body of POST /v1/collections. */
export type CollectionRequest = Readonly<z.infer<typeof collectionRequestSchema>>;
/** What jobs of a provider are expected to use and cost. */
export type CollectionEstimate = Readonly<z.infer<typeof collectionEstimateSchema>>;
/** Reply of POST /v1/collections. */
export type StartedCollection = Readonly<z.infer<typeof startedCollectionSchema>>;
/** A provider on a surface of a sweep: what counts as a whole. */
export type CollectionPart = Readonly<z.infer<typeof collectionPartSchema>>;
/** A sweep, and how it stands. */
export type ListedCollection = Readonly<z.infer<typeof collectionSchema>>;
/** How a vendor stands. */
export type ListedVendor = Readonly<z.infer<typeof vendorHealthSchema>>;
/** What was spent with a provider. */
export type ProviderSpend = Readonly<z.infer<typeof providerSpendSchema>>;
/** Reply of GET /v1/collections. */
export type CollectionsResponse = Readonly<z.infer<typeof collectionsResponseSchema>>;

const collectionInPath = [idInPath("id", "The collection's id.")] as const;

/** The operations on collection: asking the providers, and how it goes. */
export const collectionOperations = {
  collections: {
    summary: "List collections",
    description:
      "The latest sweeps, when the next ones come, how vendors stand and what was spent.",
    tag: "Collection",
    scope: "manage",
    method: "GET",
    path: collectionsPath,
    reply: { schema: collectionsResponseSchema, description: "The collections." },
  },
  startCollection: {
    summary: "Start a collection",
    description:
      "Asks the providers now, or says what it would cost. It goes on after the reply: follow it " +
      "by its id. A repeated call asks again.",
    tag: "Collection",
    scope: "manage",
    method: "POST",
    path: collectionsPath,
    body: json(collectionRequestSchema, { providers: ["OPENAI"], samples: 3, dryRun: true }),
    reply: {
      schema: startedCollectionSchema,
      description: "What it would ask and cost: a dry run.",
      accepted: "The sweep was planned, and is being asked.",
    },
    errors: ["not_found", "collection_off"],
  },
  collection: {
    summary: "Get a collection",
    description:
      "How a sweep stands, part by part: a part's answers begin to count all together, when it " +
      "is published.",
    tag: "Collection",
    scope: "manage",
    method: "GET",
    path: `${collectionsPath}/{id}`,
    parameters: collectionInPath,
    reply: { schema: collectionSchema, description: "The sweep." },
    errors: ["not_found"],
  },
  cancelCollection: {
    summary: "Cancel a collection",
    description: "Sends no further question. What was asked ends, and what was answered counts.",
    tag: "Collection",
    scope: "manage",
    method: "DELETE",
    path: `${collectionsPath}/{id}`,
    parameters: collectionInPath,
    reply: { schema: collectionSchema, description: "The sweep." },
    errors: ["not_found"],
  },
} as const satisfies DeclaredOperations;
