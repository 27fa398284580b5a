import { readFileSync } from "node:fs";
import { fieldErrors, type Provider, providers, type Vendor, vendors } from "@sightline/contract";
import { z } from "zod";
import { parseYaml, YamlFault } from "../accounts/workspace-file/parse-yaml.ts";
import type { ReaderConfig } from "./reader-config.ts";

/** A price of a vendor, in dollars. */
interface Price {
  readonly vendor: Vendor;
  /** The model, or the method of a page vendor; "*": all without a price of their own. */
  readonly model: string;
  /** The provider whose page it is for; null: any. */
  readonly provider: Provider | null;
  /** The first day of this price: YYYY-MM-DD, UTC; null: always. */
  readonly from: string | null;
  /** Per million tokens; 0 for vendors that do not count tokens. */
  readonly input: number;
  readonly output: number;
  /** Per million input tokens read from or written to a cache; null: as `input`. */
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  /** Per search of a model, per request of a page vendor, or per credit of Cloro. */
  readonly search: number;
  /** Per search after the first; null: as `search`. */
  readonly nextSearch: number | null;
  /** Whether all searches of a question are billed as one. */
  readonly oneSearch: boolean;
  /** The prices of tokens in a request with a long input; null: the same. */
  readonly long: LongInput | null;
}

/** The prices of tokens above a length of the input; they apply to the whole request. */
interface LongInput {
  readonly aboveTokens: number;
  readonly input: number;
  readonly output: number;
}

/** The source of prices. */
interface PriceSource {
  readonly source: string;
  /** YYYY-MM-DD. */
  readonly asOf: string;
  /** False: the price was not found on the vendor's own page and may be wrong. */
  readonly verified: boolean;
}

/** A price with its source. */
export interface ListedPrice extends Price, PriceSource {}

/** A list of prices. */
export interface PriceList {
  /** YYYY-MM-DD: when the list was last reviewed. */
  readonly date: string;
  readonly prices: readonly ListedPrice[];
}

/** A file of prices is invalid; the message has every fault and its line. */
export class PricesFileError extends Error {
  constructor(path: string, faults: readonly string[]) {
    super(`The price list ${path} is not valid.\n${faults.map((each) => `  ${each}`).join("\n")}`);
    this.name = "PricesFileError";
  }
}

const bytesMax = 1_000_000;
/** A dollar per token, or a thousand per search, is a mistake in the unit. */
const dollars = z.number().min(0).max(1_000);
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, "must be a day such as 2026-11-24");

const priceFields = {
  model: z.string().min(1).max(200).default("*"),
  provider: z.enum(providers).nullable().default(null),
  from: day.nullable().default(null),
  input: dollars.default(0),
  output: dollars.default(0),
  cacheRead: dollars.nullable().default(null),
  cacheWrite: dollars.nullable().default(null),
  search: dollars.default(0),
  nextSearch: dollars.nullable().default(null),
  oneSearch: z.boolean().default(false),
  long: z
    .strictObject({ aboveTokens: z.int().min(1), input: dollars, output: dollars })
    .nullable()
    .default(null),
};

const fileSchema = z.strictObject({
  date: day,
  prices: z
    .array(z.strictObject({ vendor: z.enum(vendors), ...priceFields }))
    .min(1)
    .max(1_000),
});

const builtInSchema = z.strictObject({
  date: day,
  lists: z.array(
    z.strictObject({
      source: z.string().min(10),
      asOf: day,
      verified: z.boolean(),
      vendor: z.enum(vendors),
      prices: z.array(z.strictObject(priceFields)).min(1),
    }),
  ),
});

/** The built-in prices: `prices.yaml`, next to this module. */
export const builtInPrices: PriceList = readBuiltIn();

function readBuiltIn(): PriceList {
  const text = readFileSync(new URL("./prices.yaml", import.meta.url), "utf8");
  const { date, lists } = builtInSchema.parse(parseYaml(text).value);
  const listed = lists.map(({ prices, ...shared }) =>
    prices.map((price) => ({ ...price, ...shared })),
  );
  return { date, prices: listed.flat() };
}

/**
 * Merges the prices of a file (YAML or JSON) into a list. They replace prices of the same vendor,
 * model and provider from their first day on. @throws PricesFileError.
 */
export function readPrices(path: string, base: PriceList): PriceList {
  const text = textOf(path);
  const { value, linesOf } = parsed(path, text);
  const file = fileSchema.safeParse(value, { reportInput: true });
  if (!file.success) {
    const errors = fieldErrors(file.error);
    const lines = linesOf(errors.map((error) => error.path));
    const faults = errors.map((error, index) => {
      return `line ${lines[index] ?? 1}: ${error.path || "/"}: ${error.message}`;
    });
    throw new PricesFileError(path, faults);
  }
  const { date, prices } = file.data;
  const source = { source: path, asOf: date, verified: true };
  const own: readonly ListedPrice[] = prices.map((price) => ({ ...price, ...source }));
  const stays = (price: ListedPrice) =>
    own.every((each) => keyOf(each) !== keyOf(price) || (price.from ?? "") < (each.from ?? ""));
  return { date, prices: [...own, ...base.prices.filter(stays)] };
}

/** A list with what the operator says that a reader costs; else with 0, unverified. */
export function withReader(
  { date, prices }: PriceList,
  { model, price }: Pick<ReaderConfig, "model" | "price">,
): PriceList {
  const stated = { source: "SIGHTLINE_READER_PRICE", asOf: date, verified: price !== null };
  const nothing = { from: null, cacheRead: null, cacheWrite: null, search: 0, nextSearch: null };
  const { input, output } = price ?? { input: 0, output: 0 };
  const of = { vendor: "reader", provider: null, oneSearch: false, long: null } as const;
  // Also of the name with which the endpoint replies.
  const own = [model, "*"].map((name) => {
    return { ...of, ...nothing, ...stated, model: name, input, output };
  });
  return { date, prices: [...own, ...prices.filter(({ vendor }) => vendor !== "reader")] };
}

function keyOf({ vendor, model, provider }: ListedPrice): string {
  return JSON.stringify([vendor, model, provider]);
}

function textOf(path: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    throw new PricesFileError(path, [`the file cannot be read (${code})`]);
  }
  if (bytes.length > bytesMax) throw new PricesFileError(path, ["the file is larger than 1 MB"]);
  return bytes.toString("utf8");
}

function parsed(path: string, text: string) {
  try {
    return parseYaml(text);
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    throw new PricesFileError(path, [`line ${error.line}: ${error.message}`]);
  }
}
