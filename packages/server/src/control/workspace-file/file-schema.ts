import { fieldErrorsMax, strictObject, uuidSchema } from "@sightline/contract";
import { z } from "zod";
import { normalizeDomainRule } from "../../extraction/index.ts";

/** The most entities (brand and competitors) of a workspace: each is a series of every reply. */
export const entitiesMax = 1_000;
/** The most prompts or topics of a workspace. */
export const promptsMax = 100_000;
const namesMax = 1_000;

const nameSchema = z
  .string()
  .max(500)
  .refine((name) => name.trim() !== "" && name.isWellFormed(), {
    error: "must be a non-empty text",
  });

const idSchema = uuidSchema.transform((id) => id.toLowerCase());

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

const aliasSchema = z.union(
  [nameSchema, strictObject({ name: nameSchema, caseSensitive: z.boolean().optional() })],
  { error: "must be a name, or { name, caseSensitive }" },
);

const entitySchema = strictObject({
  id: idSchema.optional(),
  name: nameSchema,
  caseSensitive: z.boolean().optional(),
  aliases: z.array(aliasSchema).max(namesMax).optional(),
  domains: z.array(domainSchema).max(namesMax).optional(),
});

const topicSchema = strictObject({ id: idSchema.optional(), name: nameSchema });

const promptSchema = strictObject({
  id: idSchema.optional(),
  text: z
    .string()
    .max(20_000)
    .refine((text) => text.trim() !== "" && text.isWellFormed(), {
      error: "must be a non-empty text",
    }),
  topic: z.string().optional(),
  branded: z.boolean().optional(),
  paused: z.boolean().optional(),
});

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

/** The workspace file (semantics, Formats). Ids are optional. */
export const workspaceFileSchema = strictObject({
  account: strictObject({ id: idSchema.optional(), name: nameSchema }),
  brand: entitySchema,
  competitors: judgedList(entitySchema, entitiesMax - 1).optional(),
  topics: judgedList(topicSchema, promptsMax).optional(),
  prompts: judgedList(promptSchema, promptsMax).optional(),
});

/** A workspace file with a valid shape. */
export type WorkspaceFile = Readonly<z.infer<typeof workspaceFileSchema>>;
/** The brand or a competitor as a file declares it. */
export type EntityDeclaration = WorkspaceFile["brand"];
