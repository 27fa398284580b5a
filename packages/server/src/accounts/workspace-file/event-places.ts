import { jsonPointer } from "@sightline/contract";
import { EVENT_ID, type Event, getScalarValue } from "js-yaml";

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
export function eventPlaces(
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
