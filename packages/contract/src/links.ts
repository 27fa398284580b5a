import { z } from "zod";
import { durationForm, durationPattern } from "./duration.ts";
import { dateTimeSchema, excludeSchema, insightFiltersSchema, uuidSchema } from "./filters.ts";
import { metricNames } from "./metrics.ts";
import { type DeclaredOperations, idInPath, json } from "./operation.ts";
import { type PeriodName, periodNames } from "./period-names.ts";
import { quoted } from "./quoted.ts";
import { components, mayGrow } from "./schema-marks.ts";
import { isDate } from "./stated-facts.ts";
import { strictObject } from "./strict-object.ts";
import { intervals } from "./time-series.ts";

/** The address of an account's share links; an addition to the interface. */
const linksPath = "/v1/links";

/** The most share links of an account that are valid at a time. */
export const validLinksMax = 200;
/** The most share links on a page of the list. */
export const pageLinksMax = 100;
/** The most characters of a link's view, as JSON: filters of five hundred prompts. */
export const linkViewCharactersMax = 20_000;
/** The most pages of the service a second that a link opens; bursts of twice as many. */
export const linkCallsPerSecond = 10;
/** The most passwords a second that are tried at a link; bursts of twice as many. */
export const linkPasswordsPerSecond = 1;
/** How long a browser that gave the password need not give it again, in hours. */
export const linkPasswordHours = 12;
/** The most cited domains that a link of kind csv lists. */
export const linkSourcesMax = 500;
/** The fewest and the most characters of a link's password. */
const linkPasswordCharacters = { min: 8, max: 200 } as const;

/** The longest name of a share link. */
const nameCharactersMax = 200;

/** What a share link gives: a page for people, a table for tools, a picture, a made report. */
export const linkKinds = ["view", "csv", "image", "report"] as const;

/** One of them. */
export type LinkKind = (typeof linkKinds)[number];

/** A kind of link that shows a view, which goes on; the other one shows what never changes. */
export type ViewLinkKind = Exclude<LinkKind, "report">;

/** The pages of the console that a link can show. */
export const linkPages = ["overview", "portrayal", "sources", "prompts"] as const;

/** One of them. */
export type LinkPage = (typeof linkPages)[number];

/** The pages that each kind of link can show. */
export const pagesOfKind: Readonly<Record<ViewLinkKind, readonly LinkPage[]>> = {
  view: linkPages,
  csv: ["overview", "sources"],
  image: ["overview"],
};

/** Whether a link is open, or why it is not. */
const linkStates = ["valid", "revoked", "expired", "makerEnded"] as const;

/** Two UTC dates such as 2026-01-31, both inside the period. */
export interface PeriodDates {
  readonly first: string;
  readonly last: string;
}

/** The period that a text names: of the calendar, up to the newest answer, or from date to date. */
export function periodOfText(text: string): PeriodName | PeriodDates | null {
  const name = periodNames.find((each) => each === text);
  if (name !== undefined) return name;
  const [first = "", last = "", ...more] = text.split("..");
  const isRange = more.length === 0 && isDate(first) && isDate(last) && first <= last;
  return isRange ? { first, last } : null;
}

const comparisons = ["previous", "year-ago", "none"] as const;

/**
 * What a text says that a view is compared with: a date in milliseconds since 1970; null: it says
 * nothing that there is.
 */
export function comparisonOfText(text: string): (typeof comparisons)[number] | number | null {
  const name = comparisons.find((each) => each === text);
  return name ?? (isDate(text) ? Date.parse(`${text}T00:00:00Z`) : null);
}

const periodSchema = z
  .string()
  .refine((text) => periodOfText(text) !== null, {
    error: ({ input }) =>
      `must be ${periodNames.join(", ")}, or two dates such as 2026-01-01..2026-03-31, ` +
      `got ${quoted(String(input))}`,
  })
  .meta({ examples: ["12w"] });

const comparisonSchema = z
  .string()
  .refine((text) => comparisonOfText(text) !== null, {
    error: ({ input }) =>
      "must be previous, year-ago, none, or a date such as 2026-01-31, " +
      `got ${quoted(String(input))}`,
  })
  .meta({ examples: ["previous"] });

const { timeRange: _, ...filterShape } = insightFiltersSchema.shape;

/** The filters of a view, whose period stands next to them. */
const linkFiltersSchema = strictObject(filterShape)
  .superRefine(({ topics = [], promptIds = [] }, context) => {
    if (topics.length === 0 || promptIds.length === 0) return;
    context.addIssue({
      code: "custom",
      path: ["promptIds"],
      params: { code: "excluded" },
      message: "cannot be combined with topics. Send one of the two",
    });
  })
  .register(components, { id: "LinkFiltersDto" });

/** What a share link shows. */
export const linkViewSchema = strictObject({
  page: z.enum(linkPages).meta(mayGrow).describe("csv: overview or sources. image: overview."),
  period: periodSchema.describe(
    "A period of the calendar or up to the newest answer, which goes on, or two UTC dates, which " +
      "stay: both are inside.",
  ),
  compare: comparisonSchema
    .optional()
    .describe(
      "previous: the period before. year-ago: the same then. none. A date: the period of the " +
        "same length from then on. Omitted: previous.",
    ),
  filters: linkFiltersSchema.optional(),
  exclude: excludeSchema.optional(),
  metric: z.enum(metricNames).optional().describe("Of the course over time. Omitted: mentions."),
  interval: z
    .enum(intervals)
    .optional()
    .describe("The length of a bucket of that course. Omitted: what suits the period."),
}).register(components, { id: "LinkViewDto" });

/** Body of POST /v1/links. */
export const linkRequestSchema = strictObject({
  name: z
    .string()
    .max(nameCharactersMax)
    .refine((name) => name.trim() !== "" && name.isWellFormed(), {
      error: "must be a non-empty text",
    })
    .describe(
      "Whom it is for, or what it shows. Recipients see it as the title; a report has its own.",
    ),
  kind: z
    .enum(linkKinds)
    .describe("view: a page. csv: a table. image: a picture, as SVG. report: a made report."),
  view: linkViewSchema.optional().describe("Required, except for the kind report, which has none."),
  reportId: uuidSchema
    .optional()
    .describe("A report that was made. Required for the kind report; the other kinds have none."),
  showsEvidence: z
    .boolean()
    .optional()
    .describe("Whether a page shows texts of answers. Omitted: false. Only of kind view."),
  password: z
    .string()
    .min(linkPasswordCharacters.min)
    .max(linkPasswordCharacters.max)
    .optional()
    .describe("What recipients have to type. Omitted: nothing. Only of kinds view and report."),
  expiresIn: z
    .string()
    .regex(durationPattern, { error: `must be ${durationForm}` })
    .meta({ examples: ["90d"] })
    .nullish()
    .describe("How long the link is valid. Null or omitted: until it is revoked."),
}).register(components, { id: "LinkRequestDto" });

const linkFields = {
  linkId: uuidSchema.describe("Identifies the link; may be logged."),
  name: z.string(),
  kind: z.enum(linkKinds).meta(mayGrow),
  view: linkViewSchema.nullable().describe("Null: it shows a report."),
  reportId: uuidSchema.nullable().describe("The report that it shows. Null: it shows a view."),
  showsEvidence: z.boolean().describe("Whether it shows texts of answers, as a report may."),
  hasPassword: z.boolean(),
  createdAt: dateTimeSchema,
  createdBy: z.string().describe("The name of the key, person or command's user that made it."),
  keyId: z
    .string()
    .nullable()
    .describe("The key that made it, and with which it ends. Null: no key did."),
  expiresAt: dateTimeSchema.nullable().describe("Null: it is valid until it is revoked."),
  revokedAt: dateTimeSchema.nullable().describe("Null: it is not revoked."),
  lastUsedAt: dateTimeSchema
    .nullable()
    .describe("When it was last opened, to the minute. Null: it never was."),
  uses: z.int().min(0).describe("How often it was opened, up to about a minute ago."),
  state: z
    .enum(linkStates)
    .meta(mayGrow)
    .describe(
      "valid; revoked; expired; makerEnded: the key that made it is revoked or expired, or the " +
        "person that made it may not make links any more.",
    ),
};

/** A share link, never its address. */
export const linkSchema = strictObject(linkFields).register(components, { id: "LinkDto" });

/** Reply of POST /v1/links. */
export const createdLinkSchema = strictObject({
  ...linkFields,
  address: z
    .string()
    .describe(
      "Where the link leads: a secret, since everybody who has it sees what the link shows. " +
        "Only its hash is stored, and it is not shown again.",
    ),
}).register(components, { id: "CreatedLinkResponseDto" });

/** Reply of GET /v1/links. */
export const linksResponseSchema = strictObject({
  links: z.array(linkSchema).describe("Newest first, those that ended too."),
  nextCursor: z.string().nullable().describe("For the next page. Null: this is the last."),
}).register(components, { id: "LinksResponseDto" });

/** What a share link shows. */
export type LinkView = Readonly<z.infer<typeof linkViewSchema>>;
/** Body of POST /v1/links. */
export type LinkRequest = Readonly<z.infer<typeof linkRequestSchema>>;
/** A share link, never its address. */
export type ListedLink = Readonly<z.infer<typeof linkSchema>>;
/** Reply of POST /v1/links. */
export type CreatedLinkResponse = Readonly<z.infer<typeof createdLinkSchema>>;
/** Reply of GET /v1/links. */
export type LinksResponse = Readonly<z.infer<typeof linksResponseSchema>>;

const exampleView = { page: "overview", period: "12w", compare: "previous" };

/** The operations on share links. */
export const linkOperations = {
  links: {
    tag: "Share links",
    summary: "List share links",
    description: "The account's share links, newest first, by page; never their addresses.",
    scope: "manage",
    method: "GET",
    path: linksPath,
    parameters: [
      {
        name: "limit",
        in: "query",
        description: "Links on the page.",
        schema: { type: "integer", minimum: 1, maximum: pageLinksMax, default: pageLinksMax },
      },
      {
        name: "cursor",
        in: "query",
        description: "`nextCursor` of the page before.",
        schema: { type: "string" },
      },
    ],
    reply: { schema: linksResponseSchema, description: "A page of links." },
  },
  createLink: {
    tag: "Share links",
    summary: "Create a share link",
    description:
      "Creates an address that shows one view, or one report that was made, without a key or a " +
      "session, and shows the address, this once. It ends when it is revoked or expires, and " +
      `with the key or person that made it. At most ${validLinksMax} valid links an account.`,
    scope: "manage",
    method: "POST",
    path: linksPath,
    body: json(linkRequestSchema, {
      name: "Visibility for the board",
      kind: "view",
      view: exampleView,
      expiresIn: "90d",
    }),
    reply: { schema: createdLinkSchema, description: "The link, with its address." },
  },
  revokeLink: {
    tag: "Share links",
    summary: "Revoke a share link",
    description:
      "Ends a share link immediately, and what is being read by it within 2 seconds. Repeating " +
      "it keeps the first instant.",
    scope: "manage",
    method: "DELETE",
    path: `${linksPath}/{linkId}`,
    parameters: [idInPath("linkId", "The link's id.")],
    reply: { schema: linkSchema, description: "The link, revoked." },
    errors: ["not_found"],
  },
} as const satisfies DeclaredOperations;
