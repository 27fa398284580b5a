import { z } from "zod";
import { providerSchema } from "./filters.ts";
import { components, mayGrow } from "./schema-marks.ts";
import { strictObject } from "./strict-object.ts";

/** The most models of `facts` that are named. */
export const namedModelsMax = 20;

/** The fewest pairs of answers whose difference is shown. */
export const retestPairsMin = 20;

/** What a reply says in addition when it is asked for: how its numbers were measured. */
export const includeFactsSchema = z
  .array(z.enum(["facts"]).meta(mayGrow))
  .max(10)
  .optional()
  .describe("facts: by what answers the numbers of the reply were measured.");

const count = () => z.int().min(0);
const fraction = () => z.number().min(0).max(1);

/** Answers of one kind that were asked for and do not count. */
const unansweredSchema = strictObject({
  answers: count(),
  share: fraction()
    .nullable()
    .describe(
      "Of `asked`. Null: nothing was asked, or the account never recorded another outcome than " +
        "an answer, so that these may have been left out.",
    ),
}).register(components, { id: "UnansweredDto" });

/** Answers of a part of all. */
const partOf = <Key extends z.ZodRawShape>(key: Key) => strictObject({ ...key, answers: count() });

/** By what answers numbers were measured: what a reader needs to judge them. */
export const measurementFactsSchema = strictObject({
  answers: count().describe("The sample size: answers that pass the filters."),
  prompts: count().describe("Distinct prompts that they answer."),
  answersPerPrompt: strictObject({
    least: z.int().min(1),
    median: z.number().min(1),
    most: z.int().min(1),
  })
    .register(components, { id: "AnswersPerPromptDto" })
    .nullable()
    .describe("Over these prompts. Null: there are no answers."),
  providers: z
    .array(partOf({ provider: providerSchema }).register(components, { id: "ProviderAnswersDto" }))
    .describe("Those with answers."),
  regions: z
    .array(
      partOf({ region: z.string().nullable().describe("Null: none was recorded.") }).register(
        components,
        { id: "RegionAnswersDto" },
      ),
    )
    .describe("Those with answers."),
  surfaces: z
    .array(
      partOf({
        surface: z.enum(["api", "web"]).meta(mayGrow).nullable().describe("Null: not recorded."),
      }).register(components, { id: "SurfaceAnswersDto" }),
    )
    .describe("Where answers were collected: a provider's API, or its web page."),
  models: strictObject({
    distinct: count().describe("Pairs of a provider and a recorded model."),
    unknown: count().describe("Answers without a recorded model."),
    named: z
      .array(
        partOf({
          provider: providerSchema,
          model: z.string().describe("As recorded."),
        }).register(components, { id: "ModelAnswersDto" }),
      )
      .describe(`The ${namedModelsMax} with the most answers.`),
  }).register(components, { id: "ModelsSeenDto" }),
  cadence: strictObject({
    days: count().describe("UTC days that meet the range."),
    daysWithAnswers: count(),
    medianDaysBetween: z
      .number()
      .min(0)
      .nullable()
      .describe(
        "The median of the days (UTC) between an answer and the one before it to the same prompt " +
          "by the same provider in the same region. Null: no prompt was answered twice so.",
      ),
  }).register(components, { id: "CadenceFactsDto" }),
  retest: strictObject({
    pairs: count().describe("Such pairs of consecutive answers in the range."),
    brandDiffers: fraction()
      .nullable()
      .describe(
        "The share of pairs of which exactly one mentions the brand. Null: fewer than " +
          `${retestPairsMin}.`,
      ),
    mentioningPairs: count().describe("Pairs of which at least one mentions a tracked entity."),
    entitiesDiffer: fraction()
      .nullable()
      .describe(
        "The mean over these of the entities that exactly one mentions / the entities that " +
          `either mentions. Null: fewer than ${retestPairsMin}.`,
      ),
  })
    .describe("Test and retest: how much the same question is answered otherwise the next time.")
    .register(components, { id: "RetestDto" }),
  unanswered: strictObject({
    asked: count().describe("Answers, and what was asked and recorded as one of these."),
    failed: unansweredSchema.describe("No answer was obtained."),
    refused: unansweredSchema.describe("The provider declined to answer."),
    absent: unansweredSchema.describe("No AI answer was shown."),
  })
    .describe("What was excluded. Questions that were never recorded are not known.")
    .register(components, { id: "UnansweredFactsDto" }),
  versions: strictObject({
    extraction: z.string().describe("Of the rules that read mentions and citations."),
    suffixList: z.string().describe("Of the public suffix list, by the package that holds it."),
    unicode: z.string(),
  })
    .register(components, { id: "MeasurementVersionsDto" })
    .nullable()
    .describe("Null: no answer was read yet."),
  pricesDate: z.iso.date().describe("When the price list of this service was last looked through."),
}).register(components, { id: "MeasurementFactsDto" });

/** By what answers numbers were measured. */
export type MeasurementFacts = Readonly<z.infer<typeof measurementFactsSchema>>;
