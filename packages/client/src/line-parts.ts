/** Lines that are sent in one call. */
export interface LinePart {
  /** Whole lines, each with its line feed. */
  readonly text: string;
  /** How many lines, empty ones included, came before. */
  readonly linesBefore: number;
}

/** What answers can be imported from: NDJSON as text, bytes or a stream of either, or objects. */
export type AnswerLines =
  | string
  | Uint8Array
  | AsyncIterable<string | Uint8Array>
  | Iterable<object>;

/** A part takes the service well under a second, and a repeated one wastes little. */
const partLinesMax = 2_000;
const partCharactersMax = 4_000_000;

/** Cuts lines into parts; memory holds one part and one chunk. */
export async function* partsOf(lines: AnswerLines): AsyncGenerator<LinePart> {
  let part: string[] = [];
  let characters = 0;
  let linesBefore = 0;
  for await (const line of linesOf(lines)) {
    part.push(line);
    characters += line.length;
    if (part.length < partLinesMax && characters < partCharactersMax) continue;
    yield { text: `${part.join("\n")}\n`, linesBefore };
    linesBefore += part.length;
    part = [];
    characters = 0;
  }
  if (part.length > 0) yield { text: `${part.join("\n")}\n`, linesBefore };
}

async function* linesOf(lines: AnswerLines): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let begun: string[] = [];
  for await (const chunk of chunksOf(lines)) {
    if (typeof chunk === "object" && !(chunk instanceof Uint8Array)) {
      yield JSON.stringify(chunk);
      continue;
    }
    const text = typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    const [first = "", ...others] = text.split("\n");
    begun.push(first);
    for (const line of others) {
      yield begun.join("");
      begun = [line];
    }
  }
  const last = begun.join("") + decoder.decode();
  if (last !== "") yield last;
}

function chunksOf(
  lines: AnswerLines,
): Iterable<string | object> | AsyncIterable<string | Uint8Array> {
  return typeof lines === "string" || lines instanceof Uint8Array ? [lines] : lines;
}
