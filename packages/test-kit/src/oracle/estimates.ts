import { critical, probabilityBeyond } from "./student.ts";

/** What a prompt adds: A_j and B_j of design/insights. */
export interface Part {
  readonly a: number;
  readonly b: number;
}

/** How an interval is made. */
export type Kind = "rate" | "share" | "rank";

const total = (parts: readonly Part[], name: "a" | "b") =>
  parts.reduce((sum, part) => sum + part[name], 0);

/** A value of prompts and what is said of it, written down from the formulas. */
export function estimated(parts: readonly Part[], kind: Kind) {
  const [numerator, denominator] = [total(parts, "a"), total(parts, "b")];
  const value = denominator === 0 ? null : numerator / denominator;
  const prompts = parts.length;
  const variance = value === null || prompts < 5 ? null : varianceOf(residualsOf(parts));
  const flags = [
    ...(prompts < 5 ? ["insufficient"] : []),
    ...(variance === 0 ? ["noVariation"] : []),
    ...(prompts < 50 ? ["exploratory"] : []),
  ];
  const interval =
    value === null || variance === null ? null : intervalOf(parts, { kind, value, variance });
  return { value, numerator, denominator, interval, flags };
}

/** How many independent answers would have told as much; null: nothing can be said. */
export function effectiveOf(parts: readonly Part[], kind: Kind): number | null {
  const [numerator, denominator] = [total(parts, "a"), total(parts, "b")];
  if (denominator === 0 || parts.length < 5) return null;
  const variance = varianceOf(residualsOf(parts));
  if (variance === 0) return Math.min(denominator, parts.length);
  const p = numerator / denominator;
  return kind === "rank" ? denominator : Math.min(denominator, (p * (1 - p)) / variance);
}

/** The change from one side to the other, of the same prompts in the same order. */
export function changeOf(before: readonly Part[], after: readonly Part[]) {
  const [first, second] = [residualsOf(before), residualsOf(after)];
  const differences = second.map((residual, j) => residual - (first[j] ?? 0));
  const value = ratio(after) - ratio(before);
  const error = Math.sqrt(varianceOf(differences));
  const df = before.length - 1;
  const margin = critical(df) * error;
  const p = error === 0 ? Number(value === 0) : probabilityBeyond(value / error, df);
  return { value, interval: { low: value - margin, high: value + margin }, p };
}

function ratio(parts: readonly Part[]): number {
  return total(parts, "a") / total(parts, "b");
}

/** u_j, with A_j·B − A·B_j as an integer, so that none is exactly 0. */
function residualsOf(parts: readonly Part[]): readonly number[] {
  const [a, b] = [total(parts, "a"), total(parts, "b")];
  return parts.map((part) => (part.a * b - a * part.b) / (b * b));
}

/** V. Differences of residuals that are equal but for rounding are none. */
function varianceOf(residuals: readonly number[]): number {
  const m = residuals.length;
  const squares = residuals.reduce((sum, u) => sum + u * u, 0);
  return squares < 1e-28 ? 0 : (m / (m - 1)) * squares;
}

function intervalOf(
  parts: readonly Part[],
  {
    kind,
    value,
    variance,
  }: { readonly kind: Kind; readonly value: number; readonly variance: number },
) {
  const c = critical(parts.length - 1);
  const margin = c * Math.sqrt(variance);
  if (kind === "rank") return { low: Math.max(1, value - margin), high: value + margin };
  if (kind === "share" && value > 0 && value < 1) {
    const at = (logit: number) => 1 / (1 + Math.exp(-logit));
    const [centre, width] = [Math.log(value / (1 - value)), margin / (value * (1 - value))];
    return { low: at(centre - width), high: at(centre + width) };
  }
  const n = effectiveOf(parts, kind) ?? 0;
  const middle = value + (c * c) / (2 * n);
  const width = c * Math.sqrt((value * (1 - value)) / n + (c * c) / (4 * n * n));
  return { low: (middle - width) / (1 + (c * c) / n), high: (middle + width) / (1 + (c * c) / n) };
}

/** Benjamini and Hochberg: the least of p·n/rank over those that are not smaller. */
export function adjusted(ps: readonly number[]): readonly number[] {
  const sorted = ps.toSorted((left, right) => left - right);
  return ps.map((p) => {
    const over = sorted.map((other, place) => (other >= p ? (other * ps.length) / (place + 1) : 1));
    return Math.min(1, ...over);
  });
}
