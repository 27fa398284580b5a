import { quoted } from "@sightline/contract";
import { scanJson } from "../../platform/scan-json.ts";
import { type ParsedYaml, YamlFault } from "./parse-yaml.ts";
import { depthMax, valuesMax } from "./yaml-bounds.ts";

/** A workspace file has no object with ten names; many would only be listed as unknown. */
const namesMax = 1_000;

/** A text that is not JSON. */
export class NotJsonError extends Error {}

/**
 * A text that was declared as JSON, without lines: programs write it.
 * @throws NotJsonError, or YamlFault when it is beyond the bounds of a workspace file.
 */
export function parseWorkspaceJson(text: string): ParsedYaml {
  const { beyond, repeatedName } = scanJson(text, { depthMax, namesMax, valuesMax });
  if (beyond !== null) throw new YamlFault(1, `${beyond}.`);
  const value = parsed(text);
  if (repeatedName === null) return { value, linesOf: (pointers) => pointers.map(() => 1) };
  throw new NotJsonError(`Duplicate name ${quoted(repeatedName)} in one object.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new NotJsonError(`${error instanceof Error ? error.message : String(error)}.`);
  }
}
