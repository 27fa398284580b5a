import { z } from "zod";
import { dateTimeSchema, providerSchema, uuidSchema } from "./filters.ts";
import { strictObject } from "./strict-object.ts";

/** The path of the values to filter by; an addition to the interface. */
export const workspacePath = "/v1/workspace";

/** The brand or a competitor. */
export const entitySchema = strictObject({ id: uuidSchema, name: z.string() });

/** A topic. */
export const topicSchema = strictObject({ id: uuidSchema, name: z.string() });

/** A prompt. */
export const promptSchema = strictObject({
  id: uuidSchema,
  text: z.string(),
  topicId: uuidSchema.nullable().describe("One of `topics`. Null: it has no topic."),
  branded: z.boolean(),
});

/** What the counted answers cover, of all providers, regions and times. */
export const answersSchema = strictObject({
  count: z.int().min(0).describe("Answers that count: answered, and their prompt is not retired."),
  first: dateTimeSchema.nullable().describe("When the first was given. Null: there is none."),
  last: dateTimeSchema.nullable().describe("When the last was given. Null: there is none."),
  samples: strictObject({
    count: z.int().min(1),
    importIds: z.array(uuidSchema).min(1).describe("Undoing these removes them."),
  })
    .optional()
    .describe(
      "Invented answers: those that the latest 100 imports named `sample answers` recorded, and " +
        "nobody has undone. Omitted: none.",
    ),
});

/** Reply of GET /v1/workspace, an addition to the interface. */
export const workspaceResponseSchema = strictObject({
  brand: entitySchema,
  competitors: z.array(entitySchema).describe("In the order of the series: by name."),
  topics: z.array(topicSchema).describe("By name."),
  prompts: z.array(promptSchema).describe("By text, those of every topic and of none."),
  providers: z
    .array(providerSchema)
    .describe("Those with answers that count, in the order of the filter's list."),
  regions: z
    .array(
      z
        .string()
        .regex(/^[A-Z]{2}$/)
        .meta({ examples: ["US"] }),
    )
    .describe("Those with answers that count, in alphabetical order."),
  answers: answersSchema,
  lastImport: dateTimeSchema
    .nullable()
    .describe("When the newest answer was recorded, counting or not. Null: none was."),
});

/** Reply of GET /v1/workspace. */
export type WorkspaceResponse = Readonly<z.infer<typeof workspaceResponseSchema>>;

/** The media types of the body of PUT /v1/workspace. */
export const workspaceMediaTypes = ["application/json", "application/yaml"] as const;

const itemsCount = (what: string) => z.int().min(0).describe(what);

/** Something that an apply created, updated or retired. */
export const workspaceChangeSchema = strictObject({
  kind: z.enum(["account", "brand", "competitor", "topic", "prompt"]),
  id: uuidSchema,
  name: z.string().describe("Of a prompt its text."),
});

const changesSchema = strictObject({
  created: z.array(workspaceChangeSchema),
  updated: z.array(workspaceChangeSchema),
  retired: z.array(workspaceChangeSchema),
  returned: z.array(workspaceChangeSchema).describe("Those of `updated` that were retired before."),
});

/** Reply of PUT /v1/workspace, an addition to the interface. */
export const appliedWorkspaceSchema = strictObject({
  accountId: uuidSchema,
  accountName: z.string(),
  created: itemsCount("Accounts, entities, topics and prompts that are new."),
  updated: itemsCount("Those that changed, or were retired before."),
  retired: itemsCount("Those that the file omits: stored, and no longer counted."),
  unchanged: itemsCount("Those that are as before."),
  changes: changesSchema,
  dryRun: z.boolean().describe("true: nothing was written."),
  answersNoLongerCounted: itemsCount("Recorded answers of the prompts that were retired."),
  answersCountedAgain: itemsCount("Recorded answers of the prompts that were retired before."),
});

/** Reply of PUT /v1/workspace. */
export type AppliedWorkspace = Readonly<z.infer<typeof appliedWorkspaceSchema>>;
