import { createReadStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { dayMs } from "@sightline/contract";
import { decompressed } from "@sightline/server/decompress";

const folder = join(import.meta.dirname, "../demo");

/** How many answers the demo's year has, whatever their outcome. */
export const demoAnswersTotal = 30_396;

const daysTotal = 365;

/** The last day of the answers in the file. */
const fileLastDay = "2026-10-31";

/** The demo's workspace file. */
export function demoWorkspaceText(): string {
  return readFileSync(join(folder, "workspace.yaml"), "utf8");
}

/**
 * The demo's year as lines of an answers file, in time order. It ends with the UTC day `lastDay`,
 * such as `2026-10-31`: the answers of the file, shifted by whole days.
 */
export async function* demoAnswers(lastDay: string): AsyncGenerator<Buffer> {
  const file = createReadStream(join(folder, "answers.ndjson.zst"));
  const shiftMs = Date.parse(lastDay) - Date.parse(fileLastDay);
  for await (const line of createInterface({ input: Readable.from(decompressed(file)) })) {
    // The answer's own: no text stands before it.
    const shifted = line.replace(/"answeredAt":"([^"]+)"/, (_, answeredAt: string) => {
      const instant = new Date(Date.parse(answeredAt) + shiftMs).toISOString();
      return `"answeredAt":"${instant.slice(0, 19)}Z"`;
    });
    yield Buffer.from(`${shifted}\n`);
  }
}

/** The first day of a year that ends with `lastDay`; both are dates such as `2026-04-07`. */
export function firstDayOf(lastDay: string): string {
  return dateOf(Date.parse(lastDay) + (1 - daysTotal) * dayMs);
}

/** The last day of a year that begins with the day of an instant, given in ms since 1970. */
export function lastDayOf(firstInstantMs: number): string {
  return dateOf(firstInstantMs + (daysTotal - 1) * dayMs);
}

/** The day before that of an instant: the last complete day. */
export function dayBefore(instantMs: number): string {
  return dateOf(instantMs - dayMs);
}

function dateOf(instantMs: number): string {
  return new Date(instantMs).toISOString().slice(0, 10);
}
