import { nearestName, quoted } from "@sightline/contract";
import { shownName, shownText } from "./shown-text.ts";
import type { InTurns } from "./tool.ts";
import { ToolFault } from "./tool-fault.ts";

/** What a kind of names is called, and where a model finds them. */
export interface NameKind<Item> {
  readonly singular: string;
  readonly nameOf: (item: Item) => string;
  /** What to do when no item has the name. */
  readonly advice: string;
  /** The maximum length of a shown name of this kind. */
  readonly charactersMax: number;
}

/** An item with an id, and a name of its kind. */
export interface Named {
  readonly id: string;
}

/** The names to search. */
export interface KnownNames<Item> {
  readonly kind: NameKind<Item>;
  readonly known: readonly Item[];
  readonly inTurns: InTurns;
}

/** The maximum number of names that a message lists. */
const listedMax = 10;
/** The maximum number of names that are compared letter by letter with an unknown one. */
const comparedMax = 5_000;
/** The maximum difference in length between a name and a mistyped one. */
const lengthDifferenceMax = 4;

/** Any 8-4-4-4-12 hexadecimal text. */
const id = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text is an id, which needs no lookup. */
export function isId(text: string): boolean {
  return id.test(text);
}

/**
 * The item of an id or a name: names are compared without case, in the form in which they were
 * shown, since that is how a model knows them.
 * @throws ToolFault when no item has the name, with the nearest one or the existing ones; or
 * several have it, with their ids.
 */
export async function namedBy<Item extends Named>(
  given: string,
  names: KnownNames<Item>,
): Promise<Item> {
  const { kind, known } = names;
  const places = await placesByName(names);
  const byId = isId(given)
    ? known.find((item) => item.id.toLowerCase() === given.toLowerCase())
    : undefined;
  const found =
    byId === undefined
      ? (places.get(comparable(given, kind.charactersMax)) ?? []).flatMap(
          (place) => known[place] ?? [],
        )
      : [byId];
  const [only, ...others] = found;
  if (only === undefined) throw new ToolFault(await unknownName(given, names));
  if (others.length === 0) return only;
  const ids = found.slice(0, listedMax).map((item) => item.id);
  const what = `${quoted(given)} is the name of ${found.length} ${kind.singular}s`;
  throw new ToolFault(`${what}. Say which by its id: ${ids.join(", ")}.`);
}

/**
 * Of lists that are still in memory: a workspace may have 100,000 names, and is queried repeatedly.
 */
const placesOfLists = new WeakMap<object, Promise<ReadonlyMap<string, readonly number[]>>>();

/** The positions in the list with a given name. */
function placesByName<Item>({ kind, known, inTurns }: KnownNames<Item>) {
  const made = async () => {
    const places = new Map<string, number[]>();
    await inTurns(known, (item, place) => {
      const name = comparable(kind.nameOf(item), kind.charactersMax);
      const same = places.get(name);
      if (same === undefined) places.set(name, [place]);
      else same.push(place);
    });
    return places;
  };
  const places = placesOfLists.get(known) ?? made();
  placesOfLists.set(known, places);
  return places;
}

function comparable(name: string, charactersMax: number): string {
  return shownText(name, charactersMax).normalize("NFKC").toLowerCase();
}

async function unknownName<Item>(given: string, names: KnownNames<Item>): Promise<string> {
  const { kind, known } = names;
  const what = `There is no ${kind.singular} ${quoted(given)}.`;
  const nearest = await nearestOf(given, names);
  if (nearest !== null) return `${what} Did you mean ${JSON.stringify(nearest)}?`;
  const listed = known
    .slice(0, listedMax)
    .map((item) => JSON.stringify(shownName(kind.nameOf(item))));
  if (listed.length === 0) return `${what} There are none. ${kind.advice}`;
  const more = known.length > listed.length ? `, and ${known.length - listed.length} more` : "";
  return `${what} There are: ${listed.join(", ")}${more}. ${kind.advice}`;
}

async function nearestOf<Item>(given: string, { kind, known, inTurns }: KnownNames<Item>) {
  const near: string[] = [];
  let compared = 0;
  await inTurns(known, (item) => {
    const name = kind.nameOf(item);
    const difference = Math.abs(name.length - given.length);
    if (difference > lengthDifferenceMax || compared >= comparedMax) return;
    compared++;
    const nearest = nearestName(given, [shownName(name)]);
    if (nearest !== null) near.push(nearest);
  });
  return nearestName(given, near);
}
