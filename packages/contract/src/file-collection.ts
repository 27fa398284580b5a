import { z } from "zod";
import { vendors } from "./collection.ts";
import { providerSchema } from "./filters.ts";
import { providers } from "./providers.ts";
import { components } from "./schema-marks.ts";
import { strictObject } from "./strict-object.ts";

/** The most samples of a prompt in a sweep. */
export const samplesMax = 20;
/** The most different times to ask of a workspace: each is a sweep of its own. */
export const cadencesMax = 100;
/** The most regions that a prompt is asked for. */
const regionsMax = 50;

/** A country that is asked for. */
export const regionSchema = z.string().regex(/^[A-Z]{2}$/, {
  error: "must be a country of ISO 3166-1, such as US or DE",
});
const placeSchema = z.string().trim().min(1).max(100);

const askedObjectSchema = strictObject({
  provider: providerSchema,
  surface: z
    .enum(["api", "web"])
    .optional()
    .describe("Omitted: `api` where the provider has one, else `web`."),
  model: z
    .string()
    .regex(/^[\w.:/@-]{1,100}$/, {
      error: "must be a model's name as the provider spells it, such as gpt-5-mini",
    })
    .optional()
    .describe("For surface `api`. Omitted: the service's choice."),
  vendor: z
    .enum(vendors)
    .optional()
    .describe("Who is asked for what the page shows. Omitted: the first that can be asked."),
  regions: z
    .array(regionSchema)
    .max(regionsMax)
    .optional()
    .describe("Countries of this provider, in place of the others'. Empty: none is asked for."),
  state: placeSchema
    .optional()
    .describe("A state or province by name, with one region: of OPENAI, ANTHROPIC, PERPLEXITY."),
  city: placeSchema.optional().describe("A city by name, with one region: of the same."),
});

/** A provider to ask: its name, or with how to ask it. */
const askedProviderSchema = z
  .union([providerSchema, askedObjectSchema], {
    error:
      `must be one of ${providers.join(", ")}, ` +
      "or { provider, surface, model, vendor, regions, state, city }",
  })
  .register(components, { id: "AskedProviderDto" });

/** The vendor to ask: its name stands for the object that has nothing else. */
export type AskedProvider = Readonly<z.infer<typeof askedProviderSchema>>;

const ruleFields = {
  cron: z
    .string()
    .max(100)
    .optional()
    .describe("Minute, hour, day of month, month, day of week. Omitted: at no time by itself."),
  timeZone: z.string().max(100).optional().describe("Such as Europe/Berlin. Omitted: UTC."),
  providers: z.array(askedProviderSchema).min(1).max(16).optional(),
  regions: z
    .array(regionSchema)
    .max(regionsMax)
    .optional()
    .describe("Countries, two upper-case letters each. Omitted or empty: none is asked for."),
  samples: z
    .int()
    .min(1)
    .max(samplesMax)
    .optional()
    .describe("How often each prompt is asked of each provider. Omitted: 1."),
};

/** When and of whom a topic's prompts or a prompt is asked; what is omitted is as around it. */
export const collectionRuleSchema = strictObject(ruleFields).register(components, {
  id: "CollectionRuleDto",
});

/** When and of whom prompts are asked; what is omitted is as around it. */
export type CollectionRule = Readonly<z.infer<typeof collectionRuleSchema>>;

const capFields = {
  callsPerDay: z.int().min(0).max(10_000_000).optional().describe("Omitted: no limit."),
  dollarsPerDay: z.number().min(0).max(1_000_000).optional().describe("Omitted: no limit."),
};

/** When and of whom an account's prompts are asked, and the most that it may cost. */
export const accountCollectionSchema = strictObject({
  ...ruleFields,
  caps: strictObject({
    ...capFields,
    providers: z.partialRecord(providerSchema, strictObject(capFields)).optional(),
  })
    .optional()
    .describe("The most of a UTC day, of all providers together and of each."),
  mixSurfaces: z
    .boolean()
    .optional()
    .describe("Whether a provider may be asked on both surfaces. Omitted: false."),
}).register(components, { id: "AccountCollectionDto" });

/** When and of whom an account's prompts are asked, and the most that it may cost. */
export type AccountCollection = Readonly<z.infer<typeof accountCollectionSchema>>;
