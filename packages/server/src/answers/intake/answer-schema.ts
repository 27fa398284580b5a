import { dateTimeSchema, providers, quoted, strictObject, uuidSchema } from "@sightline/contract";
import { z } from "zod";
import { outcomes, surfaces } from "../answer.ts";

/**
 * The longest text of an answer, in UTF-16 code units. In UTF-8 it fits into a line in every
 * language; the longest real answers are a tenth of it.
 */
export const textCharactersMax = 1_000_000;
/** The most citations of one answer. */
export const citationsMax = 10_000;
/** The most spans of one answer, of all its citations together; long answers have some hundred. */
export const spansMax = 2_000;
/** The same limit as in the workspace file. */
const promptCharactersMax = 20_000;
/** The longest URL and title of a citation, in UTF-16 code units. */
export const urlCharactersMax = 65_536;
/** The longest name of a model, in UTF-16 code units. */
export const shortCharactersMax = 1_000;
/** The most search queries of one answer; providers make some ten. */
export const searchQueriesMax = 200;
/** The longest search query, in UTF-16 code units. */
export const searchQueryCharactersMax = 2_000;
/** The longest name of a vendor, in UTF-16 code units. */
export const vendorCharactersMax = 100;
/** The most that an answer may cost, in whole units of any currency: more is a mistake. */
export const costMax = 1_000_000_000;

// TRICKY: no `transform` and no `superRefine` in schemas of lines: what zod allocates for them
// survives young-generation collections, and keeps every line alive.
const lowerUuid = uuidSchema.overwrite((id) => id.toLowerCase());
/** An unpaired surrogate cannot be stored as UTF-8: it becomes U+FFFD, as everywhere. */
const wellFormed = (most: number) =>
  z
    .string()
    .max(most)
    .overwrite((text) => text.toWellFormed());

const offsetSchema = z.int().min(0);

const citationSchema = strictObject({
  url: wellFormed(urlCharactersMax),
  title: wellFormed(urlCharactersMax).nullish(),
  cited: z.boolean().nullish(),
  spans: z
    .array(z.tuple([offsetSchema, offsetSchema]))
    .max(spansMax)
    .nullish(),
});

const regionSchema = z
  .string()
  .refine(isRegion, { error: (issue) => notARegion(String(issue.input)) })
  .overwrite((code) => code.toUpperCase());

const costSchema = strictObject({
  amount: z.number().min(0).max(costMax),
  currency: z
    .string()
    .refine(isCurrency, { error: (issue) => notACurrency(String(issue.input)) })
    .overwrite((code) => code.toUpperCase()),
  estimated: z.boolean().nullish(),
});

/**
 * An answer as a line of NDJSON (semantics, Formats): the rules of each field by itself. Null is
 * the same as an omitted field.
 */
export const answerLineSchema = strictObject({
  id: lowerUuid.nullish(),
  promptId: lowerUuid.nullish(),
  prompt: wellFormed(promptCharactersMax).nullish(),
  provider: z.enum(providers),
  region: regionSchema.nullish(),
  answeredAt: dateTimeSchema,
  outcome: z.enum(outcomes).nullish(),
  text: wellFormed(textCharactersMax).nullish(),
  citations: z.array(citationSchema).max(citationsMax).nullish(),
  model: wellFormed(shortCharactersMax).nullish(),
  surface: z.enum(surfaces).nullish(),
  sample: z.int().min(0).nullish(),
  metadata: z.looseObject({}).nullish(),
  searchQueries: z.array(wellFormed(searchQueryCharactersMax)).max(searchQueriesMax).nullish(),
  cost: costSchema.nullish(),
  vendor: wellFormed(vendorCharactersMax).min(1).nullish(),
  requestedRegion: regionSchema.nullish(),
});

/** A line whose fields are individually valid. */
export type AnswerLine = Readonly<z.infer<typeof answerLineSchema>>;

function notACurrency(text: string): string {
  return `${quoted(text)} is not a code of ISO 4217. Use three letters, for example USD.`;
}

function notARegion(text: string): string {
  const nearest = nearestRegion(text);
  const advice = nearest === null ? "Use two letters, for example US." : `Did you mean ${nearest}?`;
  return `${quoted(text)} is not an assigned ISO 3166-1 alpha-2 code. ${advice}`;
}

/** The officially assigned codes of ISO 3166-1 alpha-2, as of 2026. */
const regionCodes =
  "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR " +
  "BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ " +
  "EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW " +
  "GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY " +
  "KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV " +
  "MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY " +
  "QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG " +
  "TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM " +
  "ZW";

const assigned: ReadonlySet<string> = new Set(regionCodes.split(" "));

/** What people write instead of the assigned code. */
const meant: Readonly<Record<string, string>> = { UK: "GB", EL: "GR", USA: "US" };

/** Whether a text is an assigned ISO 3166-1 alpha-2 code, in either case. */
export function isRegion(text: string): boolean {
  return /^[A-Za-z]{2}$/.test(text) && assigned.has(text.toUpperCase());
}

/** The code that an unassigned text most likely meant; null: none is likely. */
export function nearestRegion(text: string): string | null {
  const code = text.length <= 3 ? text.toUpperCase() : "";
  return Object.hasOwn(meant, code) ? (meant[code] ?? null) : null;
}

/** The codes of ISO 4217 for money, as of 2026; without metals, funds' units and tests. */
const currencyCodes =
  "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN " +
  "BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL " +
  "GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF " +
  "KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN " +
  "MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD " +
  "SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH " +
  "UGX USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG";

const known: ReadonlySet<string> = new Set(currencyCodes.split(" "));

/** Whether a text is a currency's code, in either case. */
export function isCurrency(text: string): boolean {
  return /^[A-Za-z]{3}$/.test(text) && known.has(text.toUpperCase());
}
