import type { Vendor } from "@sightline/contract";

/** What a reply says to a reader who looks for known fields anywhere and requires nothing. */
export interface PlainReading {
  readonly text: string;
  readonly cited: readonly string[];
  /** Whether the reply says that it is whole, or refuses. */
  readonly isWhole: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
const listOf = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.map(fieldsOf) : [];
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** Independent of the adapters, and lenient: what an adapter answers must not differ from it. */
export function plainReading(vendor: Vendor, bodies: readonly Fields[]): PlainReading {
  const body = bodies.at(-1) ?? {};
  if (vendor === "anthropic") {
    const reasons: readonly unknown[] = ["end_turn", "stop_sequence", "refusal"];
    const read = ofBlocks(bodies.flatMap(({ content }) => listOf(content)));
    return { ...read, isWhole: reasons.includes(body["stop_reason"]) };
  }
  return vendor === "gemini"
    ? ofCandidate(listOf(body["candidates"])[0] ?? {})
    : ofOutput(vendor, body);
}

function ofBlocks(blocks: readonly Fields[]): Omit<PlainReading, "isWhole"> {
  const texts = blocks.filter(({ type }) => type === "text");
  const cited = texts.flatMap(({ citations }) => listOf(citations).map(({ url }) => textOf(url)));
  return { text: texts.map(({ text }) => textOf(text)).join(""), cited: once(cited) };
}

function ofCandidate(candidate: Fields): PlainReading {
  const grounding = fieldsOf(candidate["groundingMetadata"]);
  const chunks = listOf(grounding["groundingChunks"]);
  const cited = listOf(grounding["groundingSupports"]).flatMap((support) => {
    const indices = support["groundingChunkIndices"];
    return (Array.isArray(indices) ? indices : []).map((index: unknown) =>
      typeof index === "number" ? textOf(fieldsOf(chunks[index]?.["web"])["uri"]) : "",
    );
  });
  const parts = listOf(fieldsOf(candidate["content"])["parts"]);
  const text = parts.map((part) => (part["thought"] === true ? "" : textOf(part["text"])));
  const isWhole = candidate["finishReason"] === "STOP";
  return { text: text.join(""), cited: once(cited), isWhole };
}

function ofOutput(vendor: Vendor, body: Fields): PlainReading {
  const output = listOf(body["output"]);
  const final = output.filter(({ type, phase }) => type === "message" && phase !== "commentary");
  const contents = final.flatMap(({ content }) => listOf(content));
  const text = contents.map((content) => textOf(content["text"]) + textOf(content["refusal"]));
  const whole = text.join("");
  const results = output.flatMap((item) => listOf(item["results"]));
  const marked = [...whole.matchAll(/\[((?:web:)?\d+(?:, (?:web:)?\d+)*)\](?!\()/g)]
    .flatMap(([, ids = ""]) => ids.replaceAll("web:", "").split(", "))
    .flatMap((id) => results.filter((result) => result["id"] === Number(id)))
    .map(({ url }) => textOf(url));
  const annotated = contents
    .flatMap(({ annotations }) => listOf(annotations))
    .filter(({ type }) => type === "url_citation" || vendor === "perplexity")
    // xAI lists what it came across as annotations without a place.
    .filter((each) => vendor !== "xai" || isPlaced(each) || isNamed(each, whole))
    .map(({ url }) => textOf(url));
  const isWhole = [body, ...final].every(({ status }) => status === "completed");
  return { text: whole, cited: once([...marked, ...annotated]), isWhole };
}

function isPlaced({ start_index: start, end_index: end }: Fields): boolean {
  return typeof start === "number" && typeof end === "number" && start < end;
}
const isNamed = ({ url }: Fields, text: string): boolean => text.includes(`(${textOf(url)})`);
/** A source without a URL is none. */
const once = (urls: readonly string[]): readonly string[] =>
  [...new Set(urls)].filter((url) => url.trim() !== "");
