import { jsonPointer, quoted } from "@sightline/contract";
import {
  constructFromEvents,
  EVENT_ID,
  type Event,
  getScalarValue,
  parseEvents,
  YAMLException,
} from "js-yaml";

/** How deep lists and objects may be nested: a workspace file needs four. */
export const depthMax = 32;

/** The maximum uses of YAML aliases (`*name`): each may stand for a long list. */
const aliasesMax = 100;

/**
 * The maximum size of a workspace file. 100,000 prompts of 200 characters, with ids and topics,
 * take about 28 MB, and a parser's memory grows with its input.
 */
export const workspaceBytesMax = 32 * 1024 * 1024;

/**
 * The most values of a file, whose objects take up to 150 times the bytes that they have in YAML.
 * 100,000 prompts with all their fields have 1.5 million; so many take 600 MB while they are read.
 */
export const valuesMax = 2_000_000;

/** A YAML 1.2 (or JSON) text as plain values. */
export interface ParsedYaml {
  readonly value: unknown;
  /**
   * The line (from 1) of each JSON Pointer: of its field's name or its item, or of the nearest
   * enclosing node in the text.
   */
  readonly linesOf: (pointers: readonly string[]) => readonly number[];
}

/** A fault of a text as YAML, and its line (from 1). */
export class YamlFault extends Error {
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.name = "YamlFault";
    this.line = line;
  }
}

/**
 * Parses one document in linear time and memory: the parser produces a flat list of events, from
 * which values are built, and positions only on demand.
 * @throws YamlFault at the first fault.
 */
export function parseYaml(text: string): ParsedYaml {
  const beyond = placeBeyond(text, valuesMax);
  if (beyond !== null) {
    const message =
      `A file must have at most ${valuesMax} values. In YAML, each line, hyphen and character of ` +
      "`[{,:?` is counted as one.";
    throw new YamlFault(lineAt(text, beyond), message);
  }
  const { events, documents } = documentsOf(text);
  if (documents.length > 1) {
    const line = lineAt(text, secondDocument(events, text));
    throw new YamlFault(line, "A second document begins before here. A workspace file has one.");
  }
  return {
    value: documents[0] ?? null,
    linesOf: (pointers) => {
      const places = eventPlaces(events, text, new Set(pointers.flatMap(withParents)));
      return pointers.map((pointer) => {
        const [place] = withParents(pointer).flatMap((each) => places.get(each) ?? []);
        return lineAt(text, place ?? 0);
      });
    },
  };
}

/** The characters that may begin a value, or end one that was left out. */
const markers = new Set(Array.from("\n[{,:?", (character) => character.charCodeAt(0)));
const hyphen = "-".charCodeAt(0);
const space = " ".charCodeAt(0);

/**
 * Where a text has more values than allowed; null: it has not. The parser takes all memory before
 * anything else can look at its events. A text that has these characters in its words is counted
 * too high, and about one value comes of two of them.
 */
function placeBeyond(text: string, most: number): number | null {
  let marks = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const isItem = unit === hyphen && !(text.charCodeAt(at + 1) > space);
    if ((isItem || markers.has(unit)) && ++marks > most) return at;
  }
  return null;
}

function documentsOf(text: string) {
  try {
    const events = parseEvents(text, { maxDepth: depthMax });
    const documents = constructFromEvents(events, { source: text, maxAliases: aliasesMax });
    return { events, documents };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const line = (error.mark?.line ?? 0) + 1;
    throw new YamlFault(line, yamlFaultMessage(error, text));
  }
}

/** Where the second document's content begins. */
function secondDocument(events: readonly Event[], text: string): number {
  return eventPlaces(events, text, new Set(["#1"])).get("#1") ?? text.length;
}

/** A pointer and its parents, the innermost first. */
function withParents(pointer: string): readonly string[] {
  const segments = pointer.split("/");
  return segments.slice(1).map((_, depth) => segments.slice(0, segments.length - depth).join("/"));
}

function lineAt(text: string, place: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < place; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

/** An open document, list or mapping. */
interface Open {
  readonly kind: "document" | "list" | "mapping";
  readonly pointer: string;
  /** The number of items of a list so far. */
  items: number;
  /** The pointer of the field whose value comes next; null when a name comes next. */
  field: string | null;
}

/**
 * The positions of JSON Pointers in a text that js-yaml parsed: a field at its name, an item at
 * itself. A second document's pointers begin with `#1`, a third's with `#2`. Contents of an alias
 * have no position.
 */
function eventPlaces(
  events: readonly Event[],
  text: string,
  wanted: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  const open: Open[] = []; // no recursion, so that depth costs no stack
  let documents = 0;
  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      open.pop();
      continue;
    }
    if (event.type === EVENT_ID.DOCUMENT) {
      const pointer = documents === 0 ? "" : `#${documents}`;
      open.push({ kind: "document", pointer, items: 0, field: null });
      documents++;
      continue;
    }
    const pointer = pointerOf(event, text, open.at(-1));
    const start = startOf(event);
    if (start >= 0 && wanted.has(pointer) && !places.has(pointer)) places.set(pointer, start);
    if (event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.MAPPING) {
      const kind = event.type === EVENT_ID.SEQUENCE ? "list" : "mapping";
      open.push({ kind, pointer, items: 0, field: null });
    }
  }
  return places;
}

type NodeEvent = Exclude<Event, { type: typeof EVENT_ID.DOCUMENT | typeof EVENT_ID.POP }>;

/** The pointer of a node: a field's name has the same one as the value that follows it. */
function pointerOf(event: NodeEvent, text: string, around: Open | undefined): string {
  if (around === undefined || around.kind === "document") return around?.pointer ?? "";
  if (around.kind === "list") return `${around.pointer}/${around.items++}`;
  const { field } = around;
  around.field = null;
  if (field !== null) return field;
  // A name that is a list or an alias is reported as a fault of its own.
  const name = event.type === EVENT_ID.SCALAR ? getScalarValue(text, event) : "";
  around.field = around.pointer + jsonPointer([name]);
  return around.field;
}

/** Negative: an omitted value has no position. */
function startOf(event: NodeEvent): number {
  switch (event.type) {
    case EVENT_ID.SCALAR:
      return event.valueStart;
    case EVENT_ID.ALIAS:
      return event.anchorStart;
    default:
      return event.start;
  }
}

/** The parser's reasons where a YAML text probably needs quotes. */
const quotesMayBeMissing = new Set([
  "bad indentation of a mapping entry",
  "bad indentation of a sequence entry",
  "missed comma between flow collection entries",
]);

/** The parser's message where it helps, ours where it is for programmers. */
function yamlFaultMessage({ reason, mark }: YAMLException, text: string): string {
  const rest = text.slice(mark?.position ?? 0);
  const before = text.slice(0, mark?.position ?? 0);
  const line = before.slice(before.lastIndexOf("\n") + 1) + firstLine(rest);
  if (quotesMayBeMissing.has(reason)) return quoteAdvice(line);
  if (reason === "duplicated mapping key") {
    const name = /^["']?([^"'\n:,{}]{1,60})/.exec(rest)?.[1] ?? "";
    return `The field ${quoted(name)} is given twice. Give each field once.`;
  }
  if (reason.startsWith("unidentified alias")) {
    const name = /"(.*)"/.exec(reason)?.[1] ?? "";
    return `The alias *${name} has no anchor &${name} before it. Quote a text that begins with *.`;
  }
  if (reason.startsWith("tab characters")) return "YAML must not be indented by tabs. Use spaces.";
  if (reason.startsWith("nesting exceeded")) {
    return `Lists and objects must not be nested more than ${depthMax} deep.`;
  }
  if (reason.startsWith("aliases exceeded")) {
    return `A file may use YAML aliases (*name) ${aliasesMax} times. This is one more.`;
  }
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}

function quoteAdvice(line: string): string {
  // A field in block style: the text after its colon is the intended one.
  const [, field, meant] = /^[\s-]*(\w+):\s+(\S.*?)\s*$/.exec(line) ?? [];
  if (field === undefined || meant === undefined || /^[{[]/.test(meant)) {
    return (
      "The indentation is wrong, or a comma is missing, or a text needs quotes: one that has " +
      "`: ` or ` #` in it, or begins with one of the characters that YAML keeps for itself."
    );
  }
  const shown = meant.length > 80 ? "…" : meant;
  return `The text needs quotes. Write ${field}: ${JSON.stringify(shown)}`;
}

function firstLine(text: string): string {
  return text.slice(0, 500).split("\n", 1)[0] ?? "";
}
