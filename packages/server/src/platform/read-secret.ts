import { readFileSync } from "node:fs";

/** A secret as the environment has it. */
export interface ReadSecret {
  /** Null: not set, or faulty. */
  readonly secret: string | null;
  /** The variable that it is from; null: none is set. */
  readonly source: string | null;
  /** What is wrong, for people, without quoting the secret; null: nothing. */
  readonly fault: string | null;
}

/**
 * A secret from a variable, or from the file that the variable with `_FILE` after its name has the
 * path of. An empty variable is unset.
 */
export function readSecret(name: string, environment: NodeJS.ProcessEnv): ReadSecret {
  const fileName = `${name}_FILE`;
  const [given, path] = [environment[name] ?? "", environment[fileName] ?? ""];
  if (given !== "" && path !== "") return faulty(`${name} and ${fileName} are set. Set one.`);
  if (path === "") return { secret: given || null, source: given ? name : null, fault: null };
  try {
    // Editors and `echo` end a file with a newline, which is not part of the secret.
    const secret = readFileSync(path, "utf8").replace(/\r?\n$/, "");
    return { secret, source: fileName, fault: null };
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    return faulty(`${fileName}: the file ${JSON.stringify(path)} cannot be read (${code}).`);
  }
}

function faulty(fault: string): ReadSecret {
  return { secret: null, source: null, fault };
}
