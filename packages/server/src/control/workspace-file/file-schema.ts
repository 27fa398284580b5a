import { strictObject, uuidSchema } from "@sightline/contract";
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
    error: "allowed is a text that is not empty",
  });

const idSchema = uuidSchema.transform((id) => id.toLowerCase());

const domainSchema = z.string().transform((domain, context) => {
  const normalized = normalizeDomainRule(domain);
  if (normalized !== null) return normalized;
  context.addIssue({
    code: "custom",
    message:
      `got ${JSON.stringify(domain)}; ` +
      "allowed is a host, such as acme.com, with or without a path",
  });
  return z.NEVER;
});

const aliasSchema = z.union(
  [nameSchema, strictObject({ name: nameSchema, caseSensitive: z.boolean().optional() })],
  { error: "allowed is a name, or { name, caseSensitive }" },
);

const entitySchema = strictObject({
  id: idSchema.optional(),
  name: nameSchema,
  caseSensitive: z.boolean().optional(),
  aliases: z.array(aliasSchema).max(namesMax).optional(),
  domains: z.array(domainSchema).max(namesMax).optional(),
});

/** The workspace file (semantics, Formats). Every id may be left out. */
export const workspaceFileSchema = strictObject({
  account: strictObject({ id: idSchema.optional(), name: nameSchema }),
  brand: entitySchema,
  competitors: z
    .array(entitySchema)
    .max(entitiesMax - 1)
    .optional(),
  topics: z
    .array(strictObject({ id: idSchema.optional(), name: nameSchema }))
    .max(promptsMax)
    .optional(),
  prompts: z
    .array(
      strictObject({
        id: idSchema.optional(),
        text: z
          .string()
          .max(20_000)
          .refine((text) => text.trim() !== "" && text.isWellFormed(), {
            error: "allowed is a text that is not empty",
          }),
        topic: z.string().optional(),
        branded: z.boolean().optional(),
        paused: z.boolean().optional(),
      }),
    )
    .max(promptsMax)
    .optional(),
});

/** A workspace file whose shape is right. */
export type WorkspaceFile = Readonly<z.infer<typeof workspaceFileSchema>>;
/** The brand or a competitor as a file declares it. */
export type EntityDeclaration = WorkspaceFile["brand"];
