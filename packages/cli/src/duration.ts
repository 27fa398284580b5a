import { CommandError } from "./result.ts";

const unitsMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** Milliseconds of a duration such as `90d`, `12h` or `2w`. @throws CommandError. */
export function durationMs(text: string): number {
  const match = /^(\d{1,6})([smhdw])$/.exec(text);
  const unit = match?.[2] as keyof typeof unitsMs | undefined;
  const ms = unit === undefined ? 0 : Number(match?.[1]) * unitsMs[unit];
  if (ms > 0) return ms;
  throw new CommandError(
    `Invalid duration ${JSON.stringify(text)}. ` +
      "Use a number above 0 followed by s, m, h, d or w, for example 90d.",
    2,
  );
}
