const unitsMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** A duration such as `90d`, above 0. */
export const durationPattern = /^0*([1-9]\d{0,5})([smhdw])$/;

/** What a text must be to be a duration. */
export const durationForm = "a number above 0 followed by s, m, h, d or w, for example 90d";

/** Milliseconds of a duration such as `90d`, `12h` or `2w`; null: it is none. */
export function durationMs(text: string): number | null {
  const match = durationPattern.exec(text);
  const unit = match?.[2] as keyof typeof unitsMs | undefined;
  return unit === undefined ? null : Number(match?.[1]) * unitsMs[unit];
}
