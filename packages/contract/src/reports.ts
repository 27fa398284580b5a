import { z } from "zod";
import { actorSchema } from "./audit.ts";
import { reportLanguages, reportNameSchema } from "./declared-reports.ts";
import { dateTimeSchema, uuidSchema } from "./filters.ts";
import { requestExamples } from "./openapi-examples.ts";
import { type DeclaredOperations, idInPath, json } from "./operation.ts";
import { components, mayGrow } from "./schema-marks.ts";
import { dateSchema } from "./stated-facts.ts";
import { strictObject } from "./strict-object.ts";

/** Where reports are made and listed. */
const reportsPath = "/v1/reports";

/** The most reports on a page of the list. */
export const pageReportsMax = 100;
/** The most days of a period that a request names: ten years. */
export const reportDaysMax = 3_660;
/** The most reports of an account that are asked for on a UTC day. */
export const reportsPerDayMax = 200;

/** UTC days, both inside. */
const reportPeriodSchema = strictObject({
  startDate: dateSchema.describe("The first day, UTC."),
  endDate: dateSchema.describe(`The last day, UTC; at most ${reportDaysMax} days in all.`),
}).register(components, { id: "ReportPeriodDto" });

/** Body of POST /v1/reports. */
export const reportRequestSchema = strictObject({
  report: reportNameSchema.describe("The name of a report of the workspace."),
  period: reportPeriodSchema
    .optional()
    .describe("Omitted: what the report's own rule gives for today."),
}).register(components, { id: "ReportRequestDto" });

const reportShape = {
  id: uuidSchema,
  name: z.string().describe("As the workspace named it then."),
  period: reportPeriodSchema,
  compareWith: reportPeriodSchema.nullable().describe("Null: nothing was compared."),
  language: z.enum(reportLanguages).meta(mayGrow),
  madeAt: dateTimeSchema,
  dueAt: dateTimeSchema.nullable().describe("The time of its schedule. Null: it was asked for."),
  actor: actorSchema,
  htmlBytes: z.int().min(1).describe("Bytes of its page in UTF-8."),
  htmlSha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe("SHA-256 of its page, as it was made."),
  supersededBy: uuidSchema
    .nullable()
    .describe("A newer report of the same name and period. Null: there is none."),
};

/** A report that was made. */
export const reportSchema = strictObject(reportShape).register(components, { id: "ReportDto" });

/** Reply of GET /v1/reports. */
export const reportsResponseSchema = strictObject({
  reports: z.array(reportSchema).describe("The newest first."),
  nextCursor: z.string().nullable().describe("For the next page. Null: this is the last."),
}).register(components, { id: "ReportsResponseDto" });

/** Reply of GET /v1/reports/{reportId}. */
export const reportWithNumbersSchema = strictObject({
  ...reportShape,
  numbers: z
    .record(z.string(), z.unknown())
    .describe(
      "Everything that its page shows; summary, course, changes, sources, names, prompts and " +
        "measurement are parts of the replies to the questions. Null: the section is left out.",
    ),
}).register(components, { id: "ReportWithNumbersDto" });

/** Reply of GET /v1/reports/{reportId}/html. */
export const reportPageSchema = strictObject({
  html: z
    .string()
    .describe(
      "The page: one file without scripts that loads nothing. Of a superseded report, unless " +
        "`asMade` is true, it begins with a line that says so.",
    ),
}).register(components, { id: "ReportPageDto" });

/** Body of POST /v1/reports, as sent. */
export type ReportRequest = Readonly<z.infer<typeof reportRequestSchema>>;
/** A report that was made. */
export type Report = Readonly<z.infer<typeof reportSchema>>;
/** Reply of GET /v1/reports. */
export type ReportsResponse = Readonly<z.infer<typeof reportsResponseSchema>>;
/** Reply of GET /v1/reports/{reportId}. */
export type ReportWithNumbers = Readonly<z.infer<typeof reportWithNumbersSchema>>;
/** Reply of GET /v1/reports/{reportId}/html. */
export type ReportPage = Readonly<z.infer<typeof reportPageSchema>>;

const reportInPath = [idInPath("reportId", "The report's id.")];

/** The operations on reports. */
export const reportOperations = {
  reports: {
    tag: "Reports",
    summary: "List reports",
    description:
      "The reports that were made, newest first, by page. Which reports there are to make is in " +
      "the workspace file.",
    scope: "read",
    method: "GET",
    path: reportsPath,
    parameters: [
      {
        name: "name",
        in: "query",
        description: "Only reports of this name.",
        schema: { type: "string" },
      },
      {
        name: "limit",
        in: "query",
        description: "Reports on the page.",
        schema: { type: "integer", minimum: 1, maximum: pageReportsMax, default: pageReportsMax },
      },
      {
        name: "cursor",
        in: "query",
        description: "`nextCursor` of the page before.",
        schema: { type: "string" },
      },
    ],
    reply: { schema: reportsResponseSchema, description: "A page of reports." },
  },
  makeReport: {
    tag: "Reports",
    summary: "Make a report",
    description:
      "Makes a report of the workspace file, and keeps it: its numbers and page never change. " +
      "An earlier report of the same name and period stays, and says that it was superseded. " +
      `At most ${reportsPerDayMax} on a UTC day.`,
    scope: "manage",
    method: "POST",
    path: reportsPath,
    body: json(reportRequestSchema, requestExamples.makeReport),
    reply: { schema: reportSchema, description: "The report." },
    errors: ["not_found", "quota_exhausted", "facts_not_ready", "deadline_exceeded"],
  },
  report: {
    tag: "Reports",
    summary: "Report",
    description: "A report with the numbers that it shows.",
    scope: "read",
    method: "GET",
    path: `${reportsPath}/{reportId}`,
    parameters: reportInPath,
    reply: { schema: reportWithNumbersSchema, description: "The report." },
    errors: ["not_found"],
  },
  reportPage: {
    tag: "Reports",
    summary: "Page of a report",
    description: "The report as one HTML page, to be opened, sent and printed.",
    scope: "read",
    method: "GET",
    path: `${reportsPath}/{reportId}/html`,
    parameters: [
      ...reportInPath,
      {
        name: "asMade",
        in: "query",
        description: "true: the bytes that were made, also of a superseded report.",
        schema: { type: "boolean", default: false },
      },
    ],
    reply: { schema: reportPageSchema, description: "The page." },
    errors: ["not_found"],
  },
} as const satisfies DeclaredOperations;
