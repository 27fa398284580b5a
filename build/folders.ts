import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The repository's root folder. */
export const root: string = join(import.meta.dirname, "..");

/** Where the built client stands: what `npm pack` or `npm publish` takes. */
export const clientDist: string = join(root, "packages/client/dist");

/** Where the built command stands. */
export const commandDist: string = join(root, "packages/cli/dist");

/** The parts of a package.json that building needs. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly keywords?: readonly string[];
  readonly license: string;
  readonly engines?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** A package.json of the repository, by its folder. */
export function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest;
}

/** An object as the text of a JSON file. */
export function jsonFile(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
