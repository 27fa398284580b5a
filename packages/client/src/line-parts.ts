/** Lines that are sent in one call. */
export interface LinePart {
  /** Whole lines, each with its line feed; as bytes when one of them is not UTF-8. */
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** The lines, without line feeds. */
  readonly lines: readonly PartLine[];
  /** How many lines, empty ones included, came before. */
  readonly linesBefore: number;
}

/** A line: text, or bytes that are not UTF-8, which the service is to see as they are. */
export type PartLine = string | Uint8Array;

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
  let part: PartLine[] = [];
  let characters = 0;
  let linesBefore = 0;
  for await (const line of linesOf(lines)) {
    part.push(line);
    characters += line.length;
    if (part.length < partLinesMax && characters < partCharactersMax) continue;
    yield { body: bodyOf(part), lines: part, linesBefore };
    linesBefore += part.length;
    part = [];
    characters = 0;
  }
  if (part.length > 0) yield { body: bodyOf(part), lines: part, linesBefore };
}

/** Bytes only where they are needed: text is what a `fetch` of one's own is likely to expect. */
function bodyOf(lines: readonly PartLine[]): LinePart["body"] {
  if (lines.every((line) => typeof line === "string")) return `${lines.join("\n")}\n`;
  return bytesOf(lines.flatMap((line) => [line, "\n"]));
}

function bytesOf(pieces: readonly PartLine[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const encoded = pieces.map((each) => (typeof each === "string" ? encoder.encode(each) : each));
  const bytes = new Uint8Array(encoded.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const each of encoded) {
    bytes.set(each, end);
    end += each.length;
  }
  return bytes;
}

async function* linesOf(lines: AnswerLines): AsyncGenerator<PartLine> {
  let begun: PartLine[] = [];
  for await (const chunk of chunksOf(lines)) {
    if (typeof chunk === "object" && !(chunk instanceof Uint8Array)) {
      yield JSON.stringify(chunk);
      continue;
    }
    const [first, ...others] = typeof chunk === "string" ? chunk.split("\n") : splitBytes(chunk);
    begun.push(first ?? "");
    for (const line of others) {
      yield joined(begun);
      begun = [line];
    }
  }
  const last = joined(begun);
  if (last.length > 0) yield last;
}

const lineFeed = 0x0a;

function splitBytes(chunk: Uint8Array): readonly Uint8Array[] {
  const lines: Uint8Array[] = [];
  let start = 0;
  for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
    lines.push(chunk.subarray(start, end));
    start = end + 1;
  }
  // The rest is copied: a reader may use its chunk again.
  return [...lines, new Uint8Array(chunk.subarray(start))];
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * A line of its pieces. What is not UTF-8 stays bytes: decoded in spite of that, damaged text would
 * be recorded, where the service rejects the line.
 */
function joined(pieces: readonly PartLine[]): PartLine {
  if (pieces.every((piece) => typeof piece === "string")) return pieces.join("");
  const bytes = bytesOf(pieces);
  try {
    return decoder.decode(bytes);
  } catch {
    return bytes;
  }
}

function chunksOf(
  lines: AnswerLines,
): Iterable<string | object> | AsyncIterable<string | Uint8Array> {
  return typeof lines === "string" || lines instanceof Uint8Array ? [lines] : lines;
}
