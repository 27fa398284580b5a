import { isIP } from "node:net";
import { hostOf, isPublicHost } from "../platform/public-address.ts";
import type { VendorEndpoint } from "./adapter.ts";

/** A model of the user's own that reads answers. */
export interface ReaderConfig {
  readonly endpoint: VendorEndpoint;
  /** What precedes `/chat/completions`, such as `/v1`. */
  readonly path: string;
  readonly model: string;
  /** Dollars per million tokens; null: not stated, so what a reading costs is unknown. */
  readonly price: { readonly input: number; readonly output: number } | null;
  /** Sent with each request, such as `temperature`. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The most tokens that a reply may have, by the parameters. */
  readonly outputTokensMax: number;
}

/** The settings of a reader, as text. */
export interface ReaderSettings {
  readonly readerUrl?: string | undefined;
  readonly readerModel?: string | undefined;
  readonly readerPrice?: string | undefined;
  readonly readerParameters?: string | undefined;
  readonly readerToPrivate?: string | undefined;
}

/** A configuration, and a line for each fault, for people. */
interface ReadReader {
  /** Null: there is no reader, or it has faults. */
  readonly reader: ReaderConfig | null;
  readonly faults: readonly string[];
}

/** Reads the settings of a reader; without an address there is none. */
export function readReader(settings: ReaderSettings): ReadReader {
  const { readerUrl = "", readerModel = "", readerPrice = "", readerParameters = "" } = settings;
  if (readerUrl === "") {
    const isGiven = readerModel !== "" || readerPrice !== "";
    return { reader: null, faults: isGiven ? [alone] : [] };
  }
  const toPrivate = settings.readerToPrivate === "on";
  const place = placeOf(readerUrl, toPrivate);
  const price = priceOf(readerPrice);
  const parameters = parametersOf(readerParameters);
  const model = /^[\x21-\x7e]{1,200}$/.test(readerModel) ? readerModel : null;
  const faults = [
    ...(typeof place === "string" ? [`SIGHTLINE_READER_URL: ${place}`] : []),
    ...(model === null ? ["SIGHTLINE_READER_MODEL: must be 1 to 200 visible characters."] : []),
    ...(price === undefined ? [`SIGHTLINE_READER_PRICE: ${priceFault}`] : []),
    ...(typeof parameters === "string" ? [`SIGHTLINE_READER_PARAMETERS: ${parameters}`] : []),
  ];
  const isWhole = typeof place !== "string" && typeof parameters !== "string";
  if (!isWhole || model === null || price === undefined) return { reader: null, faults };
  return { reader: { ...place, model, price, ...parameters }, faults: [] };
}

const alone =
  "SIGHTLINE_READER_MODEL or SIGHTLINE_READER_PRICE is set without SIGHTLINE_READER_URL.";

/** The place of an address; a text says what is wrong with it. */
function placeOf(
  text: string,
  toPrivate: boolean,
): Pick<ReaderConfig, "endpoint" | "path"> | string {
  const url = URL.parse(text);
  const schemes = toPrivate ? ["https:", "http:"] : ["https:"];
  if (url === null || !schemes.includes(url.protocol)) {
    const more = toPrivate ? "" : "; http:// needs SIGHTLINE_READER_TO_PRIVATE=on";
    return `must be an absolute ${schemes.map((each) => `${each}//`).join(" or ")} URL${more}.`;
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    return "must have no name, password, query or fragment.";
  }
  const host = hostOf(url);
  if (isIP(host) === 6 || !/^[a-z0-9.-]+$/.test(host))
    return "must have a name or an IPv4 address.";
  if (!toPrivate && !isPublicHost(host)) {
    return "must not lead to a private address, unless SIGHTLINE_READER_TO_PRIVATE is on.";
  }
  const isPlain = url.protocol === "http:";
  const port = url.port === "" ? (isPlain ? 80 : 443) : Number(url.port);
  return { endpoint: { host, port, isPlain, toPrivate }, path: url.pathname.replace(/\/+$/, "") };
}

const priceFault = "must be dollars per million tokens of input/output, such as 0.15/0.60.";

/** Null: not stated; undefined: not a price. */
function priceOf(text: string): ReaderConfig["price"] | undefined {
  if (text === "") return null;
  const [, input, output] = /^(\d{1,3}(?:\.\d{1,6})?)\/(\d{1,3}(?:\.\d{1,6})?)$/.exec(text) ?? [];
  if (input === undefined || output === undefined) return undefined;
  return { input: Number(input), output: Number(output) };
}

/** What every endpoint takes; a reading has few findings. */
const usualParameters = { temperature: 0, max_tokens: 4_000 };
const outputTokensLimit = 32_000;
/** What the service itself says of a request. */
const ownFields = ["model", "messages", "stream", "n", "tools"];

type Parameters = Pick<ReaderConfig, "parameters" | "outputTokensMax">;

/** A text says what is wrong. */
function parametersOf(text: string): Parameters | string {
  const parameters = text === "" ? usualParameters : parsed(text);
  if (parameters === null) return 'must be a JSON object, such as {"max_completion_tokens":4000}.';
  const given = Object.keys(parameters).filter((field) => ownFields.includes(field));
  if (given.length > 0) return `must not contain ${given.join(", ")}.`;
  const bounds = ["max_tokens", "max_completion_tokens"].flatMap((field) => {
    const value = (parameters as Readonly<Record<string, unknown>>)[field];
    return value === undefined ? [] : [value];
  });
  const [bound] = bounds;
  const isBound = typeof bound === "number" && Number.isInteger(bound) && bounds.length === 1;
  if (!isBound || bound < 1 || bound > outputTokensLimit) {
    const fields = "max_tokens or max_completion_tokens";
    return `must have ${fields}, 1 to ${outputTokensLimit}: caps need it.`;
  }
  return { parameters, outputTokensMax: bound };
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}
