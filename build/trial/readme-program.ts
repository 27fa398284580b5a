import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../folders.ts";

/** The snippets of the client's README as one program, which asks the service at `url`. */
export function readmeProgram(url: string): string {
  const readme = readFileSync(join(root, "packages/client/README.md"), "utf8");
  return [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)]
    .map(([, snippet]) => snippet)
    .join("\n")
    .replaceAll('"http://127.0.0.1:8080"', JSON.stringify(url));
}
