import { z } from "zod";
import { declaredReportSchema } from "./declared-reports.ts";
import { accountCollectionSchema, collectionRuleSchema } from "./file-collection.ts";
import { uuidSchema } from "./filters.ts";
import {
  accountTagSchema,
  ignoredNameSchema,
  keptLists,
  noteSchema,
  savedViewSchema,
} from "./saved-views.ts";
import { components } from "./schema-marks.ts";
import { fileSourceSchema } from "./source-kinds.ts";
import { statedFactSchema } from "./stated-facts.ts";
import { strictObject } from "./strict-object.ts";
import { promptTagsMax, tagCharactersMax } from "./tags.ts";

/** The most entities (brand and competitors) of a workspace: each is a series of every reply. */
export const entitiesMax = 1_000;
/** The most prompts or topics of a workspace. */
export const promptsMax = 100_000;
/** The most aliases, domains, and phrases that are not mentions, of an entity. */
export const entityNamesMax = 1_000;
/**
 * The most names (own names and aliases) of all entities together, and the most domains. Compiling
 * names takes time and memory by their number and their characters: as many as these take about a
 * second and 50 MB, and 1,000 entities have 50 names each.
 */
export const workspaceNamesMax = 50_000;
/** The most characters of the names of all entities together. */
export const nameCharactersMax = 1_000_000;

const namePart = (charactersMax: number) =>
  z
    .string()
    .max(charactersMax)
    .refine((text) => text.trim() !== "" && text.isWellFormed(), {
      error: "must be a non-empty text",
    });

const nameSchema = namePart(500);
const idSchema = uuidSchema.optional().describe("Omitted: derived from the name or the text.");

const aliasSchema = z.union(
  [nameSchema, strictObject({ name: nameSchema, caseSensitive: z.boolean().optional() })],
  { error: "must be a name, or { name, caseSensitive }" },
);

/** The account as a workspace file declares it. */
export const fileAccountSchema = strictObject({ id: idSchema, name: nameSchema });

/** The brand or a competitor as a workspace file declares it. */
export const fileEntitySchema = strictObject({
  id: idSchema,
  name: nameSchema,
  caseSensitive: z.boolean().optional().describe("Omitted: false."),
  aliases: z.array(aliasSchema).max(entityNamesMax).optional(),
  domains: z
    .array(z.string())
    .max(entityNamesMax)
    .optional()
    .describe("Hosts, or hosts with a path, such as acme.com."),
  except: z
    .array(nameSchema)
    .max(entityNamesMax)
    .optional()
    .describe("Phrases inside which its names are not mentions, such as `spar penge` for Spar."),
}).register(components, { id: "FileEntityDto" });

const differs = "In what it is asked otherwise. Omitted: in nothing.";

/** A topic as a workspace file declares it. */
export const fileTopicSchema = strictObject({
  id: idSchema,
  name: nameSchema,
  collection: collectionRuleSchema.optional().describe(differs),
});

/** A prompt as a workspace file declares it. */
export const filePromptSchema = strictObject({
  id: idSchema,
  text: namePart(20_000),
  topic: z.string().optional().describe("The name of a topic of the same file."),
  tags: z
    .array(namePart(tagCharactersMax))
    .max(promptTagsMax)
    .optional()
    .describe("What it is filtered and grouped by in addition to its topic, such as `buying`."),
  branded: z.boolean().optional().describe("Omitted: whether the text mentions the brand."),
  paused: z.boolean().optional().describe("Omitted: false."),
  collection: collectionRuleSchema.optional().describe(differs),
});

/** A text stands for the object that has nothing else. */
const orName = <Schema extends z.ZodType>(schema: Schema) => z.union([nameSchema, schema]);

/** A workspace file as people write it; whether its parts fit together is checked after that. */
export const workspaceFileSchema = strictObject({
  account: orName(fileAccountSchema),
  brand: orName(fileEntitySchema),
  competitors: z
    .array(orName(fileEntitySchema))
    .max(entitiesMax - 1)
    .optional(),
  collection: accountCollectionSchema
    .optional()
    .describe("When and of whom prompts are asked. Omitted: nobody is asked."),
  topics: z.array(orName(fileTopicSchema)).max(promptsMax).optional(),
  prompts: z
    .array(z.union([filePromptSchema.shape.text, filePromptSchema]))
    .max(promptsMax)
    .optional(),
  views: keptLists.views,
  notes: keptLists.notes,
  sources: keptLists.sources,
  facts: keptLists.facts,
  ignoredNames: keptLists.ignoredNames,
  reports: keptLists.reports,
  accountTags: keptLists.accountTags,
}).register(components, { id: "WorkspaceFileDto" });

/** A workspace file as people write it. */
export type WorkspaceFile = Readonly<z.input<typeof workspaceFileSchema>>;

/** The path of the workspace file of the caller's account; an addition to the interface. */
export const workspaceFilePath = "/v1/workspace/file";

const declaredNameSchema = strictObject({ name: z.string(), caseSensitive: z.boolean() });

/** An entity, as the reply of GET /v1/workspace/file declares it. */
const declaredEntitySchema = strictObject({
  id: uuidSchema,
  name: z.string(),
  caseSensitive: z.boolean(),
  aliases: z.array(declaredNameSchema),
  domains: z.array(z.string()).describe("Without scheme and `www.`, with a path if it has one."),
  except: z
    .array(z.string())
    .optional()
    .describe("Phrases inside which its names are not mentions. Omitted: none."),
}).register(components, { id: "DeclaredEntityDto" });

/** A prompt, as the reply of GET /v1/workspace/file declares it. */
const declaredPromptSchema = strictObject({
  id: uuidSchema,
  text: z.string(),
  topic: z.string().optional().describe("The name of one of `topics`. Omitted: it has none."),
  tags: z.array(z.string()).optional().describe("In alphabetical order. Omitted: none."),
  branded: z
    .boolean()
    .optional()
    .describe("Omitted: it is what the text says: true when it mentions the brand."),
  paused: z.boolean(),
  collection: collectionRuleSchema.optional().describe(differs),
}).register(components, { id: "DeclaredPromptDto" });

/** Reply of GET /v1/workspace/file: a workspace file with every id. */
export const declaredWorkspaceSchema = strictObject({
  account: strictObject({ id: uuidSchema, name: z.string() }),
  brand: declaredEntitySchema,
  competitors: z.array(declaredEntitySchema).describe("In the order of the series: by name."),
  collection: accountCollectionSchema
    .optional()
    .describe("When and of whom prompts are asked. Omitted: nobody is asked."),
  topics: z
    .array(
      strictObject({
        id: uuidSchema,
        name: z.string(),
        collection: collectionRuleSchema.optional().describe(differs),
      }),
    )
    .describe("By name."),
  prompts: z.array(declaredPromptSchema).describe("By text."),
  views: z.array(savedViewSchema).optional().describe("Views of the console. Omitted: none."),
  notes: z.array(noteSchema).optional().describe("By date. Omitted: none."),
  sources: z
    .array(fileSourceSchema)
    .optional()
    .describe("Classes of cited sources. Omitted: none."),
  facts: z.array(statedFactSchema).optional().describe("What is true of the brand. Omitted: none."),
  ignoredNames: z
    .array(ignoredNameSchema)
    .optional()
    .describe("Names that lists of untracked names leave out. Omitted: none."),
  reports: z
    .array(declaredReportSchema)
    .optional()
    .describe("Reports that are made. Omitted: none."),
  accountTags: z
    .array(accountTagSchema)
    .optional()
    .describe("What the account is found by among others. Omitted: none."),
}).register(components, { id: "DeclaredWorkspaceResponseDto" });

/** Reply of GET /v1/workspace/file. */
export type DeclaredWorkspaceResponse = Readonly<z.infer<typeof declaredWorkspaceSchema>>;
