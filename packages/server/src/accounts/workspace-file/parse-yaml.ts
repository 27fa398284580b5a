import { constructFromEvents, type Event, parseEvents, YAMLException } from "js-yaml";
import { eventPlaces } from "./event-places.ts";
import { aliasesMax, depthMax, valuesMax } from "./yaml-bounds.ts";
import { yamlFaultMessage } from "./yaml-fault-message.ts";

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
