import { readFileSync } from "node:fs";
import { fieldErrors, providers, vendors } from "@sightline/contract";
import { z } from "zod";
import { parseYaml, YamlFault } from "../../control/workspace-file/parse-yaml.ts";
import type { ListedPrice, PriceList } from "./price-list.ts";

/** A file of prices that is not taken, with every fault and its line. */
export class PricesFileError extends Error {
  constructor(path: string, faults: readonly string[]) {
    super(`The price list ${path} is not valid.\n${faults.map((each) => `  ${each}`).join("\n")}`);
    this.name = "PricesFileError";
  }
}

const bytesMax = 1_000_000;
/** A dollar a token, or a thousand a search, is a mistake in the unit. */
const dollars = z.number().min(0).max(1_000);
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, "must be a day such as 2026-11-24");

const fileSchema = z.strictObject({
  date: day,
  prices: z
    .array(
      z.strictObject({
        vendor: z.enum(vendors),
        model: z.string().min(1).max(200).default("*"),
        provider: z.enum(providers).nullable().default(null),
        input: dollars.default(0),
        output: dollars.default(0),
        search: dollars.default(0),
        oneSearch: z.boolean().default(false),
        long: z
          .strictObject({ aboveTokens: z.int().min(1), input: dollars, output: dollars })
          .nullable()
          .default(null),
      }),
    )
    .min(1)
    .max(1_000),
});

/**
 * The prices of a list with those of a file (YAML or JSON), which take precedence by vendor, model
 * and provider; other prices hold on.
 * @throws PricesFileError
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
  const keys = new Set(own.map(keyOf));
  return { date, prices: [...own, ...base.prices.filter((price) => !keys.has(keyOf(price)))] };
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
