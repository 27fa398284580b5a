import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { unknownCollection } from "../../answers/answer.ts";
import { decompressed } from "../../answers/intake/decompress.ts";
import { type Line, linesOf } from "../../answers/intake/lines.ts";
import { scanJson } from "../../platform/scan-json.ts";
import {
  type AccountLine,
  countedAs,
  type LineKind,
  lineBytesMax,
  lineSchemas,
  MoveError,
  noCounts,
  writtenBounds,
} from "./account-file.ts";

const kinds = Object.keys(lineSchemas) as readonly LineKind[];

/**
 * The lines of a file that carries an account. It is untrusted input: each line is checked, and the
 * end is only returned when all lines before it are as they were written.
 * @param onBytes called with the bytes of the file that are read.
 * @throws MoveError
 */
export async function* readAccountFile(
  path: string,
  onBytes: (bytes: number) => void = () => undefined,
): AsyncGenerator<AccountLine> {
  const file = createReadStream(path, { highWaterMark: 256 * 1024 });
  const counts = noCounts();
  const hash = createHash("sha256");
  let before: LineKind | null = null;
  try {
    for await (const line of linesOf(decompressed(file), lineBytesMax)) {
      const read = parsed(path, line);
      requireOrder(path, { line, before, kind: read.kind });
      if (read.kind === "end") {
        const isWhole = JSON.stringify(read.counts) === JSON.stringify(counts);
        if (!isWhole || hash.digest("hex") !== read.sha256) throw damaged(path);
      } else {
        hash.update(line.bytes ?? "").update("\n");
        const counted = countedAs[read.kind];
        if (counted !== null) counts[counted]++;
      }
      before = read.kind;
      onBytes(file.bytesRead);
      yield read;
    }
  } catch (error) {
    if (error instanceof MoveError) throw error;
    throw new MoveError(`${path} cannot be read: ${reasonOf(error)}.`, { cause: error });
  } finally {
    file.destroy();
  }
  if (before !== "end") throw damaged(path);
}

function parsed(path: string, { number, bytes }: Line): AccountLine {
  const text = bytes?.toString("utf8") ?? "";
  // Before it is parsed: a text of a million brackets ends in the depths of a parser.
  const { beyond } = scanJson(text, writtenBounds);
  if (beyond !== null) throw new MoveError(`${path} is damaged: line ${number} ${beyond}.`);
  const value = parseJson(text);
  const kind = kinds.find((each) => each === (value as { kind?: unknown } | null)?.kind);
  if (number === 1) requireFormat(path, value);
  const read = kind === undefined ? null : lineSchemas[kind].safeParse(value);
  // The value itself, and not what the schema made of it: an answer must stay what it is.
  if (read?.success === true) return completed(value as AccountLine);
  const at = read?.error?.issues[0]?.path.join("/") ?? "";
  throw new MoveError(
    `${path} is damaged: line ${number} is not valid${at === "" ? "" : `, at /${at}`}.`,
  );
}

/** A line of an earlier file, with what it does not say of collection. */
function completed(line: AccountLine): AccountLine {
  if (line.kind === "end") return { ...line, counts: { ...noCounts(), ...line.counts } };
  if (line.kind !== "answer") return line;
  return { ...line, answer: { ...unknownCollection, ...line.answer } };
}

function requireFormat(path: string, value: unknown): void {
  const { kind, format } = (value ?? {}) as { readonly kind?: unknown; readonly format?: unknown };
  if (kind !== "account") {
    throw new MoveError(`${path} is not a file of sightline export.`);
  }
  if (typeof format === "number" && format > 6) {
    throw new MoveError(
      `${path} has format ${format}, and this version of Sightline reads formats 1 to 6.`,
    );
  }
}

interface Place {
  readonly line: Line;
  readonly before: LineKind | null;
  readonly kind: LineKind;
}

/** One account at the beginning, one end, and between them the kinds in their order. */
function requireOrder(path: string, { line, before, kind }: Place): void {
  const place = kinds.indexOf(kind);
  const placeBefore = before === null ? -1 : kinds.indexOf(before);
  const mayRepeat = countedAs[kind] !== null;
  if (before !== "end" && (place > placeBefore || (mayRepeat && place === placeBefore))) return;
  throw new MoveError(`${path} is damaged: line ${line.number} is at a wrong place.`);
}

function damaged(path: string): MoveError {
  return new MoveError(`${path} is damaged: it is not complete, or not as it was written.`);
}

/** Null for a text that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
