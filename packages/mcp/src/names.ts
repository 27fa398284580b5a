import { nearestName, quoted } from "@sightline/contract";
import { shownName, shownText } from "./shown-text.ts";
import { ToolFault } from "./tool-fault.ts";

/** Something that has an id and a name. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

/** What names of a kind are called, and where a model finds them. */
export interface NameKind {
  readonly singular: string;
  /** What to do when there is none of the name. */
  readonly advice: string;
  /** The most characters of a name of this kind that were shown. */
  readonly charactersMax: number;
}

/** The most names that a message lists. */
const listedMax = 10;

/** Any 8-4-4-4-12 hexadecimal text. */
const id = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text is an id, which needs no looking up. */
export function isId(text: string): boolean {
  return id.test(text);
}

/**
 * What an id or a name stands for: names are compared without case, and as they were shown, since
 * that is how a model knows them.
 * @throws ToolFault when nothing has the name, with the nearest one or those that there are; or
 * several have it, with their ids.
 */
export function namedBy<Item extends Named>(
  given: string,
  kind: NameKind,
  known: readonly Item[],
): Item {
  const wanted = comparable(given, kind);
  const byId = known.find((item) => item.id.toLowerCase() === given.toLowerCase());
  const found =
    byId === undefined ? known.filter((item) => comparable(item.name, kind) === wanted) : [byId];
  const [only, ...others] = found;
  if (only === undefined) throw new ToolFault(unknownName(given, kind, known));
  if (others.length === 0) return only;
  const ids = found.slice(0, listedMax).map((item) => item.id);
  const what = `${quoted(given)} is the name of ${found.length} ${kind.singular}s`;
  throw new ToolFault(`${what}. Say which by its id: ${ids.join(", ")}.`);
}

function comparable(name: string, { charactersMax }: NameKind): string {
  return shownText(name, charactersMax).normalize("NFKC").toLowerCase();
}

function unknownName(given: string, kind: NameKind, known: readonly Named[]): string {
  const names = known.map(({ name }) => shownName(name));
  const what = `There is no ${kind.singular} ${quoted(given)}.`;
  const nearest = nearestName(given, names);
  if (nearest !== null) return `${what} Did you mean ${JSON.stringify(nearest)}?`;
  const listed = names.slice(0, listedMax).map((name) => JSON.stringify(name));
  if (listed.length === 0) return `${what} There are none. ${kind.advice}`;
  const more = names.length > listed.length ? `, and ${names.length - listed.length} more` : "";
  return `${what} There are: ${listed.join(", ")}${more}. ${kind.advice}`;
}
