import { z } from "zod";
import { dateTimePattern, instantOf } from "./instant.ts";
import { providers } from "./providers.ts";
import { quoted } from "./quoted.ts";
import { components, mayGrow } from "./schema-marks.ts";
import { strictObject } from "./strict-object.ts";
import { tagCharactersMax } from "./tags.ts";

/** A provider's name; later versions may add to them in replies. */
export const providerSchema = z
  .enum(providers)
  .meta(mayGrow)
  .register(components, { id: "ProviderDto" });

/** The maximum number of items in a filter array (semantics, Filters). */
export const filterItemsMax = 10_000;

/** An RFC 3339 date-time with `Z` or an offset, as text; instantOf gives its instant. */
export const dateTimeSchema = z
  .string()
  .refine((text) => instantOf(text) !== null, {
    error: (issue) =>
      "must be an RFC 3339 date-time with Z or an offset, such as 2026-01-31T00:00:00Z, " +
      `in the years 0001 to 9999; got ${quoted(String(issue.input))}`,
  })
  .meta({ format: "date-time", pattern: dateTimePattern, examples: ["2026-01-01T00:00:00Z"] });

/** Any 8-4-4-4-12 hexadecimal text, in either case. */
export const uuidSchema = z
  .guid({ error: "must be a UUID (8-4-4-4-12 hexadecimal digits)" })
  .meta({ examples: ["1beabf74-f871-5c29-92d3-2affa4d7571e"] });

/**
 * A half-open range of time, as sent: `from` is inclusive, `to` is exclusive. The order is not yet
 * checked.
 */
const timeRangeSchema = strictObject({
  from: dateTimeSchema.describe("Start of the range, inclusive."),
  to: dateTimeSchema.describe("End of the range, exclusive; after `from`."),
}).register(components, { id: "TimeRangeDto" });

/** A topic to filter by. */
const topicFilterSchema = strictObject({ id: uuidSchema }).register(components, {
  id: "TopicFilterDto",
});

/** A region to filter by. */
const regionFilterSchema = strictObject({
  code: z
    .string()
    .regex(/^[A-Za-z]{2}$/, { error: "must be two letters (ISO 3166-1 alpha-2)" })
    .meta({ minLength: 2, maxLength: 2, examples: ["US"] })
    .describe("ISO 3166-1 alpha-2 country code, in either case."),
}).register(components, { id: "RegionFilterDto" });

/** The lists of the interface's filters, of at most so many items each. */
const filterLists = (itemsMax: number) => ({
  providers: z.array(providerSchema).max(itemsMax).optional(),
  topics: z
    .array(topicFilterSchema)
    .max(itemsMax)
    .optional()
    .describe("Only prompts of these topics. Cannot be combined with `promptIds`."),
  promptIds: z
    .array(uuidSchema)
    .max(itemsMax)
    .optional()
    .describe("Only these prompts. Cannot be combined with `topics`."),
  regions: z.array(regionFilterSchema).max(itemsMax).optional(),
  branded: z
    .boolean()
    .optional()
    .describe("true: branded prompts only. false: non-branded only. Omitted: all."),
});

const filterFields = strictObject({ timeRange: timeRangeSchema, ...filterLists(filterItemsMax) });

function checkTopics(
  filters: Pick<z.infer<typeof filterFields>, "topics" | "promptIds">,
  context: z.RefinementCtx,
): void {
  if ((filters.topics?.length ?? 0) > 0 && (filters.promptIds?.length ?? 0) > 0) {
    context.addIssue({
      code: "custom",
      path: ["promptIds"],
      params: { code: "excluded" },
      message: "cannot be combined with topics. Send one of the two",
    });
  }
}

function checkFilters(filters: z.infer<typeof filterFields>, context: z.RefinementCtx): void {
  const { from, to } = filters.timeRange;
  const [fromMs, toMs] = [instantOf(from), instantOf(to)];
  if (fromMs !== null && toMs !== null && fromMs >= toMs) {
    context.addIssue({
      code: "custom",
      path: ["timeRange"],
      params: { code: "wrong_order" },
      message: `from must be before to, got from ${quoted(from)} and to ${quoted(to)}`,
    });
  }
  checkTopics(filters, context);
}

const topicsOrPrompts = {
  not: {
    required: ["topics", "promptIds"],
    properties: {
      topics: { type: "array", minItems: 1 },
      promptIds: { type: "array", minItems: 1 },
    },
  },
};

/** The filters object of every analytics request (interface 2.1). */
export const filtersSchema = filterFields
  .superRefine(checkFilters)
  .meta(topicsOrPrompts)
  .register(components, { id: "FiltersDto" });

/** The longest name of a model, in UTF-16 code units. */
const modelCharactersMax = 1_000;

/** Where answers come from. */
export const surfaces = ["api", "web"] as const;

/** Where an answer comes from. */
export type Surface = (typeof surfaces)[number];

const surfaceSchema = z.enum(surfaces).meta(mayGrow).register(components, { id: "SurfaceDto" });

const models = (itemsMax = filterItemsMax) =>
  z.array(z.string().min(1).max(modelCharactersMax)).max(itemsMax).optional();

const tagsFilter = (itemsMax = filterItemsMax) =>
  z.array(z.string().min(1).max(tagCharactersMax)).max(itemsMax).optional();

const surfacesFilter = (itemsMax = filterItemsMax) =>
  z.array(surfaceSchema).max(itemsMax).optional();

/** What the insights' filters have in addition to the interface's. */
const insightLists = (itemsMax: number) => ({
  models: models(itemsMax).describe(
    "Only answers of these models, by their names as answers have them. Answers whose model is " +
      "not known match only without this filter.",
  ),
  tags: tagsFilter(itemsMax).describe(
    "Only prompts with any of these tags, in any case, form of Unicode and spacing. May be " +
      "combined with `topics` or `promptIds`.",
  ),
  surfaces: surfacesFilter(itemsMax).describe(
    "Only answers of these surfaces. Answers whose surface is not known match only without this " +
      "filter.",
  ),
});

/** The filters object of the insights and of evidence: the interface's, with what it lacks. */
export const insightFiltersSchema = strictObject({
  ...filterFields.shape,
  ...insightLists(filterItemsMax),
})
  .superRefine(checkFilters)
  .meta(topicsOrPrompts)
  .register(components, { id: "InsightFiltersDto" });

/** The most items of a list of filters that are stored. */
const storedFilterItemsMax = 100;

/** The insights' filters without a range of time, as what is asked again and again stores them. */
export const storedFiltersSchema = strictObject({
  ...filterLists(storedFilterItemsMax),
  ...insightLists(storedFilterItemsMax),
})
  .superRefine(checkTopics)
  .meta(topicsOrPrompts)
  .register(components, { id: "StoredFiltersDto" });

/** What `filters` let pass and is left out all the same. */
export const excludeSchema = strictObject({
  providers: z.array(providerSchema).max(filterItemsMax).optional(),
  topics: z
    .array(topicFilterSchema)
    .max(filterItemsMax)
    .optional()
    .describe("Prompts of these topics. May be combined with `promptIds`."),
  promptIds: z.array(uuidSchema).max(filterItemsMax).optional(),
  regions: z
    .array(regionFilterSchema)
    .max(filterItemsMax)
    .optional()
    .describe("Answers without a region stay."),
  models: models().describe("Answers whose model is not known stay."),
  tags: tagsFilter().describe("Prompts with any of these tags; those without tags stay."),
  surfaces: surfacesFilter().describe("Answers whose surface is not known stay."),
})
  .describe("Answers that do not count although `filters` let them pass: those of any item.")
  .register(components, { id: "ExcludeDto" });

/** What is left out, as sent. */
export type Exclude = Readonly<z.infer<typeof excludeSchema>>;

/** Filters as sent. */
export type Filters = Readonly<z.infer<typeof filtersSchema>>;

/** The insights' filters as sent. */
export type InsightFilters = Readonly<z.infer<typeof insightFiltersSchema>>;
