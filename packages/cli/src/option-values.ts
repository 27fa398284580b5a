import { durationForm, durationMs, nearestName } from "@sightline/contract";
import { InvalidArgumentError, Option } from "commander";
import { CommandError } from "./result.ts";

/**
 * An option whose value is one of a list, in any case and with `-` for `_`. The error for a wrong
 * value lists the allowed ones and suggests the nearest; help shows the list.
 */
export function choiceOption(
  flags: string,
  description: string,
  allowed: readonly string[],
): Option {
  const option = new Option(flags, description).choices(allowed);
  return option.argParser((given) => chosen(given, allowed));
}

/** The same for an option that may be given several times, or take several values. */
export function choicesOption(
  flags: string,
  description: string,
  allowed: readonly string[],
): Option {
  const option = new Option(flags, description).choices(allowed);
  return option.argParser<readonly string[]>((given, before) => [
    ...(before ?? []),
    chosen(given, allowed),
  ]);
}

/** An integer option between two bounds. */
export function integerOption(
  flags: string,
  description: string,
  [least, most]: readonly [least: number, most: number],
): Option {
  return new Option(flags, description).argParser((given) => {
    const number = /^\d{1,16}$/.test(given) ? Number(given) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It must be an integer from ${least} to ${most}.`);
  });
}

/** An option for a fraction, such as 0.02. */
export function fractionOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((given) => {
    const number = /^\d?\.?\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
    if (number >= 0 && number <= 1) return number;
    throw new InvalidArgumentError("It must be a fraction from 0 to 1, such as 0.02.");
  });
}

/** An option for a difference of mean ranks, such as 0.1. */
export function placesOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((given) => {
    const number = /^\d{0,3}\.?\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
    if (number >= 0 && number <= 100) return number;
    throw new InvalidArgumentError("It must be a number of places from 0 to 100, such as 0.1.");
  });
}

/** An option for the size of a change: a fraction or places, above 0. */
export function sizeOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((given) => {
    const number = /^\d{0,3}\.?\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
    if (number > 0 && number <= 100) return number;
    throw new InvalidArgumentError("It must be a number above 0, at most 100, such as 0.05.");
  });
}

/** Some of a list of names, separated by commas, in the order of the list. */
export function namesOf<Name extends string>(
  text: string,
  allowed: readonly Name[],
  [option, kind]: readonly [option: string, kind: string],
): readonly Name[] {
  const words = text.split(",").map((word) => word.trim());
  const unknown = words.find((word) => !allowed.some((name) => name === word));
  if (unknown === undefined) return allowed.filter((name) => words.includes(name));
  throw new CommandError(
    `${option}: unknown ${kind} ${JSON.stringify(unknown)}. Use any of ${allowed.join(", ")}, ` +
      "separated by commas.",
    2,
  );
}

function chosen(given: string, allowed: readonly string[]): string {
  const plain = (text: string) => text.toLowerCase().replaceAll("-", "_");
  const found = allowed.find((each) => plain(each) === plain(given));
  if (found !== undefined) return found;
  const nearest = nearestName(given, allowed);
  const advice = nearest === null ? "" : ` (Did you mean ${nearest}?)`;
  throw new InvalidArgumentError(`Allowed choices are ${allowed.join(", ")}.${advice}`);
}

/** Milliseconds of a duration such as `90d`, `12h` or `2w`. @throws CommandError. */
export function durationOf(text: string): number {
  const ms = durationMs(text);
  if (ms !== null) return ms;
  throw new CommandError(`Invalid duration ${JSON.stringify(text)}. Use ${durationForm}.`, 2);
}
