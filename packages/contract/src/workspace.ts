import { z } from "zod";
import { dateTimeSchema, providers, uuidSchema } from "./filters.ts";
import { strictObject } from "./strict-object.ts";

/** The address of what a client needs to offer filters; an addition to the interface. */
export const workspacePath = "/v1/workspace";

const namedSchema = strictObject({
  id: uuidSchema,
  name: z.string().describe("Its name today."),
});

const promptSchema = strictObject({
  id: uuidSchema,
  text: z.string(),
  topicId: uuidSchema.nullable().describe("One of `topics`. Null: it has no topic."),
  branded: z.boolean(),
});

const answersSchema = strictObject({
  count: z.int().min(0).describe("Answers that count: answered, and their prompt is not retired."),
  first: dateTimeSchema.nullable().describe("When the first was given. Null: there is none."),
  last: dateTimeSchema.nullable().describe("When the last was given. Null: there is none."),
});

/** Reply of GET /v1/workspace, which the interface does not have. */
export const workspaceResponseSchema = strictObject({
  brand: namedSchema,
  competitors: z.array(namedSchema).describe("In the order of the series: by name."),
  topics: z.array(namedSchema).describe("By name."),
  prompts: z.array(promptSchema).describe("By text, those of every topic and of none."),
  providers: z
    .array(z.enum(providers))
    .describe("Those with answers that count, in the order of the filter's list."),
  regions: z
    .array(
      z
        .string()
        .regex(/^[A-Z]{2}$/)
        .meta({ examples: ["US"] }),
    )
    .describe("Those with answers that count, in alphabetical order."),
  answers: answersSchema.describe("Of all providers, regions and times."),
  lastImport: dateTimeSchema
    .nullable()
    .describe("When the newest answer was recorded, counting or not. Null: none was."),
});

/** Reply of GET /v1/workspace. */
export type WorkspaceResponse = Readonly<z.infer<typeof workspaceResponseSchema>>;
