import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname } from "node:path";

/** The most damaged facts of an account that are kept: they may be large, and no one may look. */
export const setAsideMax = 3;

/**
 * Renames damaged facts and their log to `<name>.damaged.<number>`, each time with the next number,
 * so that nothing is overwritten. Of more than `setAsideMax`, the oldest are removed.
 * @returns the path of what was the file.
 */
export function setAside(path: string): string {
  const earlier = numbersOf(path);
  const number = Math.max(0, ...earlier) + 1;
  for (const file of [path, `${path}.wal`]) {
    if (existsSync(file)) renameSync(file, `${file}.damaged.${number}`);
  }
  for (const old of earlier.filter((each) => each <= number - setAsideMax)) {
    for (const file of [path, `${path}.wal`]) rmSync(`${file}.damaged.${old}`, { force: true });
  }
  return `${path}.damaged.${number}`;
}

function numbersOf(path: string): readonly number[] {
  const beginnings = [path, `${path}.wal`].map((file) => `${basename(file)}.damaged.`);
  return readdirSync(dirname(path))
    .flatMap((name) => beginnings.map((beginning) => name.split(beginning)))
    .filter(([before, number]) => before === "" && /^\d+$/.test(number ?? ""))
    .map(([, number]) => Number(number));
}
