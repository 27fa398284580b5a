import {
  accountCollectionSchema,
  accountTagSchema,
  accountTagsMax,
  declaredReportSchema,
  declaredReportsMax,
  entitiesMax,
  entityNamesMax,
  type FieldError,
  fieldErrorsMax,
  fileAccountSchema,
  fileEntitySchema,
  filePromptSchema,
  fileSourceSchema,
  fileSourcesMax,
  fileTopicSchema,
  foldedAspect,
  ignoredNameSchema,
  ignoredNamesMax,
  noteSchema,
  notesMax,
  promptsMax,
  savedViewSchema,
  savedViewsMax,
  statedFactSchema,
  statedFactsMax,
  strictObject,
  uuidSchema,
} from "@sightline/contract";
import { z } from "zod";
import { normalizeDomainRule } from "../../extraction/index.ts";

const id = uuidSchema.transform((text) => text.toLowerCase()).optional();

const domainSchema = z.string().transform((domain, context) => {
  const normalized = normalizeDomainRule(domain);
  if (normalized !== null) return normalized;
  context.addIssue({
    code: "custom",
    message:
      "must be a host with an optional path, such as acme.com or acme.com/shop, " +
      `got ${JSON.stringify(domain)}`,
  });
  return z.NEVER;
});

const domains = z.array(domainSchema).max(entityNamesMax).optional();
const accountSchema = orText("name", fileAccountSchema.extend({ id }));
const entitySchema = orText("name", fileEntitySchema.extend({ id, domains }));
const topicSchema = orText("name", fileTopicSchema.extend({ id }));
const promptSchema = orText("text", filePromptSchema.extend({ id }));

const factSchema = statedFactSchema.extend({
  aspect: statedFactSchema.shape.aspect.transform((text) => foldedAspect(text) ?? text),
});
const sourceSchema = fileSourceSchema.extend({ domain: domainSchema });

/**
 * A list whose items are validated one by one, until the maximum number of faults is found: a file
 * of a million invalid items must not cost a million faults.
 */
function judgedList<Item extends z.ZodType>(itemSchema: Item, itemsMax: number) {
  return z
    .array(z.unknown())
    .max(itemsMax)
    .transform((values, context) => {
      const items: z.output<Item>[] = [];
      for (const [index, value] of values.entries()) {
        const { data, error } = itemSchema.safeParse(value, { reportInput: true });
        if (error === undefined) items.push(data);
        for (const issue of error?.issues ?? []) {
          context.issues.push({ ...issue, path: [index, ...issue.path] } as never);
        }
        if (context.issues.length >= fieldErrorsMax) return z.NEVER;
      }
      return items;
    });
}

/** The workspace file (semantics, Formats), its short forms made long. Ids are optional. */
export const workspaceFileSchema = strictObject({
  account: accountSchema,
  brand: entitySchema,
  competitors: judgedList(entitySchema, entitiesMax - 1).optional(),
  collection: accountCollectionSchema.optional(),
  topics: judgedList(topicSchema, promptsMax).optional(),
  prompts: judgedList(promptSchema, promptsMax).optional(),
  views: judgedList(savedViewSchema, savedViewsMax).optional(),
  notes: judgedList(noteSchema, notesMax).optional(),
  sources: judgedList(sourceSchema, fileSourcesMax).optional(),
  facts: judgedList(factSchema, statedFactsMax).optional(),
  ignoredNames: judgedList(ignoredNameSchema, ignoredNamesMax).optional(),
  reports: judgedList(declaredReportSchema, declaredReportsMax).optional(),
  accountTags: judgedList(accountTagSchema, accountTagsMax).optional(),
});

/** A workspace file with a valid shape. */
export type WorkspaceFile = Readonly<z.infer<typeof workspaceFileSchema>>;
/** The brand or a competitor as a file declares it. */
export type EntityDeclaration = WorkspaceFile["brand"];

/** A text stands for the object that has it as its name or text, and nothing else. */
function orText<Schema extends z.ZodType>(field: "name" | "text", schema: Schema) {
  return z.preprocess((value) => (typeof value === "string" ? { [field]: value } : value), schema);
}

/** A fault within a short form is the fault of the text that stands in the file. */
export function inShortForm(error: FieldError, file: unknown): FieldError {
  const path = error.path.replace(/\/(name|text)$/, "");
  return path !== error.path && typeof valueAt(file, path) === "string"
    ? { ...error, path }
    : error;
}

/** The value at a JSON Pointer (RFC 6901) of a document; undefined: there is none. */
export function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const segment of pointer.split("/").slice(1)) {
    if (typeof value !== "object" || value === null) return undefined;
    const name = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    value = Object.getOwnPropertyDescriptor(value, name)?.value;
  }
  return value;
}
