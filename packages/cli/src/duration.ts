import { durationForm, durationMs } from "@sightline/contract";
import { CommandError } from "./result.ts";

/** Milliseconds of a duration such as `90d`, `12h` or `2w`. @throws CommandError. */
export function durationOf(text: string): number {
  const ms = durationMs(text);
  if (ms !== null) return ms;
  throw new CommandError(`Invalid duration ${JSON.stringify(text)}. Use ${durationForm}.`, 2);
}
