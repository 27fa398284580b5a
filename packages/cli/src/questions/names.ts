import type { Sightline } from "@sightline/client";
import { nearestName, quoted } from "@sightline/contract";
import { CommandError } from "../result.ts";

/** Something of the workspace that has an id and a name. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

/** How names of one kind are looked up. */
export interface NameKind {
  /** The option that gave the name. */
  readonly option: string;
  /** In the plural, for messages. */
  readonly plural: string;
  /** Whether a part of a name that no other has stands for it; for names as long as questions. */
  readonly byPart: boolean;
}

/** The brand and its competitors, as `--entity` names them. */
export const entityKind: NameKind = { option: "--entity", plural: "entities", byPart: false };

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const shownMax = 8;

/** Whether a text is an id, which needs no looking up. */
export function isId(text: string): boolean {
  return uuid.test(text);
}

/**
 * The id that a name stands for: an id stands for itself, then a name written exactly so, then one
 * in any case and form of Unicode, then, where allowed, the only one with this part.
 * @throws CommandError when none or several do, with the nearest name or the names there are.
 */
export function idOf(given: string, kind: NameKind, known: readonly Named[]): string {
  if (isId(given)) return given;
  const wanted = plain(given);
  const matches = [
    known.filter(({ name }) => name === given),
    known.filter(({ name }) => plain(name) === wanted),
    kind.byPart && wanted !== "" ? known.filter(({ name }) => plain(name).includes(wanted)) : [],
  ].find((found) => found.length > 0);
  const [only, ...others] = matches ?? [];
  if (only === undefined) throw unknownName(given, kind, known);
  if (others.length === 0) return only.id;
  throw new CommandError(
    `${kind.option}: ${quoted(given)} matches ${others.length + 1} ${kind.plural}. ` +
      `Use an id instead:\n${listed([only, ...others])}`,
    2,
  );
}

/** The entity of `--entity`; without a name the brand. An id needs no call to be looked up. */
export async function entityOf(given: string | undefined, client: Sightline): Promise<Named> {
  if (given !== undefined && isId(given)) return { id: given, name: given };
  const { brand, competitors } = await client.workspace();
  if (given === undefined) return brand;
  const known = [brand, ...competitors];
  const id = idOf(given, entityKind, known);
  return known.find((each) => each.id === id) ?? { id, name: given };
}

function plain(name: string): string {
  return name.normalize("NFKC").toLowerCase().trim().replaceAll(/\s+/g, " ");
}

function unknownName(given: string, { option, plural }: NameKind, known: readonly Named[]) {
  const nearest = nearestName(
    given,
    known.map(({ name }) => name),
  );
  const advice =
    nearest !== null
      ? ` Did you mean ${quoted(nearest)}?`
      : known.length === 0
        ? " The account has none."
        : ` The account has:\n${listed(known)}`;
  const what = `not one of the account's ${plural}`;
  return new CommandError(`${option}: ${quoted(given)} is ${what}.${advice}`, 2);
}

function listed(known: readonly Named[]): string {
  const lines = known.slice(0, shownMax).map(({ id, name }) => `  ${id}  ${name}`);
  const left = known.length - lines.length;
  return [
    ...lines,
    ...(left > 0 ? [`  and ${left} more; see: sightline query workspace`] : []),
  ].join("\n");
}
