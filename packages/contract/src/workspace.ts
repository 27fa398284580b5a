import { z } from "zod";
import { dateTimeSchema, providerSchema, uuidSchema } from "./filters.ts";
import { createdKeySchema } from "./keys.ts";
import { replyExamples } from "./openapi-examples.ts";
import { type DeclaredOperations, json } from "./operation.ts";
import { noteSchema, savedViewSchema } from "./saved-views.ts";
import { components } from "./schema-marks.ts";
import { strictObject } from "./strict-object.ts";
import {
  declaredWorkspaceSchema,
  workspaceFilePath,
  workspaceFileSchema,
} from "./workspace-file.ts";

/** The path of the values to filter by; an addition to the interface. */
export const workspacePath = "/v1/workspace";

/** The brand or a competitor. */
const entitySchema = strictObject({ id: uuidSchema, name: z.string() }).register(components, {
  id: "EntityDto",
});

/** A topic. */
const topicSchema = strictObject({ id: uuidSchema, name: z.string() }).register(components, {
  id: "TopicDto",
});

/** A prompt. */
const promptSchema = strictObject({
  id: uuidSchema,
  text: z.string(),
  topicId: uuidSchema.nullable().describe("One of `topics`. Null: it has no topic."),
  branded: z.boolean(),
  tags: z.array(z.string()).optional().describe("In alphabetical order. Omitted: none."),
}).register(components, { id: "PromptDto" });

/** What the counted answers cover, of all providers, regions and times. */
const answersSchema = strictObject({
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
}).register(components, { id: "AnswersDto" });

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
  views: z.array(savedViewSchema).optional().describe("Views of the console. Omitted: none."),
  notes: z
    .array(noteSchema)
    .optional()
    .describe("What happened when, by date. Omitted: nothing is noted."),
}).register(components, { id: "WorkspaceResponseDto" });

/** Reply of GET /v1/workspace. */
export type WorkspaceResponse = Readonly<z.infer<typeof workspaceResponseSchema>>;

/** The media types of the body of PUT /v1/workspace. */
export const workspaceMediaTypes = ["application/json", "application/yaml"] as const;

const itemsCount = (what: string) => z.int().min(0).describe(what);

/** Something that an apply created, updated or retired. */
const workspaceChangeSchema = strictObject({
  kind: z.enum(["account", "brand", "competitor", "topic", "prompt"]),
  id: uuidSchema,
  name: z.string().describe("Of a prompt its text."),
}).register(components, { id: "WorkspaceChangeDto" });

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
}).register(components, { id: "AppliedWorkspaceDto" });

/** Reply of PUT /v1/workspace. */
export type AppliedWorkspace = Readonly<z.infer<typeof appliedWorkspaceSchema>>;

/** The most accounts of a service, when they are created over HTTP: what one node is built for. */
export const accountsMax = 10_000;

/** Reply of POST /v1/accounts, an addition to the interface. */
export const createdAccountSchema = strictObject({
  account: strictObject({ id: uuidSchema, name: z.string() }),
  key: createdKeySchema,
}).register(components, { id: "CreatedAccountResponseDto" });

/** Reply of POST /v1/accounts. */
export type CreatedAccountResponse = Readonly<z.infer<typeof createdAccountSchema>>;

/** What names the state of a workspace. */
const tagFields = {
  ETag: {
    description:
      "Names the revision of what is tracked, for If-Match. Answers that come do not change it.",
    schema: { type: "string" },
  },
} as const;

const appliedFile = {
  schema: workspaceFileSchema,
  example: {
    account: "Acme",
    brand: { name: "Acme", domains: ["acme.com"] },
    competitors: ["Globex"],
    prompts: ["Which storage?"],
  },
} as const;

/** The operations on what is tracked. */
export const workspaceOperations = {
  workspace: {
    tag: "Workspace",
    summary: "Workspace",
    description:
      "What the account tracks, and what its answers cover: entities, topics and prompts are " +
      "today's; providers, regions and answers are those that count.",
    scope: "read",
    method: "GET",
    path: workspacePath,
    reply: {
      schema: workspaceResponseSchema,
      description: "The workspace.",
      example: replyExamples.workspace,
      headers: tagFields,
    },
  },
  applyWorkspace: {
    tag: "Workspace",
    summary: "Apply a workspace file",
    description:
      "Tracks exactly what a workspace file of at most 32 MiB says, as JSON or YAML. What it " +
      "omits is retired: nothing is deleted. The same file again changes nothing. The account is " +
      "the key's, whatever name the file gives it.",
    scope: "manage",
    method: "PUT",
    path: workspacePath,
    parameters: [
      {
        name: "dryRun",
        in: "query",
        description: "true: the same reply, and nothing is written.",
        schema: { type: "boolean", default: false },
      },
      {
        name: "If-Match",
        in: "header",
        description: "The ETag that the workspace must have; otherwise nothing is changed (412).",
        schema: { type: "string" },
      },
    ],
    body: { "application/json": appliedFile, "application/yaml": appliedFile },
    reply: {
      schema: appliedWorkspaceSchema,
      description: "What it changed.",
      headers: tagFields,
    },
    errors: ["request_timeout", "precondition_failed"],
  },
  workspaceFile: {
    tag: "Workspace",
    summary: "Workspace file",
    description:
      "What the account tracks as a workspace file with every id: names, aliases and domains, " +
      "topics and prompts. Applying it changes nothing.",
    scope: "read",
    method: "GET",
    path: workspaceFilePath,
    reply: {
      schema: declaredWorkspaceSchema,
      description: "The workspace file.",
      example: replyExamples.workspaceFile,
      headers: tagFields,
    },
  },
  createAccount: {
    tag: "Workspace",
    summary: "Create an account",
    description:
      "Creates another account, which tracks what a workspace file says, and its first key, " +
      "which is shown this once, and has the scopes and limits of yours. The service chooses the " +
      "id: leave `account.id` out. Your key stays a key of its own account alone.",
    scope: "accounts",
    method: "POST",
    path: "/v1/accounts",
    body: json(workspaceFileSchema, appliedFile.example),
    reply: { schema: createdAccountSchema, description: "The account and its key." },
  },
} as const satisfies DeclaredOperations;
