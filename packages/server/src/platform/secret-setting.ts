import { readFileSync } from "node:fs";

/** The variables of a secret. There is no flag, which other users of the machine could read. */
export interface SecretSetting {
  readonly environment: string;
  /** The variable with the path of a file that contains the secret instead. */
  readonly fileEnvironment: string;
}

/** A secret and where it comes from, or why there is none. */
export interface ReadSecret {
  /** Null: not set, or faulty. */
  readonly secret: string | null;
  /** The variable that says it. */
  readonly source: string;
  /** For people, without the secret; null: none. */
  readonly fault: string | null;
}

/** Reads a secret from its variable or from the file that is named. An empty variable is unset. */
export function readSecret(
  { environment: name, fileEnvironment: fileName }: SecretSetting,
  environment: NodeJS.ProcessEnv,
): ReadSecret {
  const [given, path] = [environment[name] ?? "", environment[fileName] ?? ""];
  const faulty = (fault: string) => ({ secret: null, source: name, fault });
  if (given !== "" && path !== "") return faulty(`${name} and ${fileName} are set. Set one.`);
  if (path === "") return { secret: given === "" ? null : given, source: name, fault: null };
  try {
    // Editors and `echo` end a file with a newline, which is not part of the secret.
    const secret = readFileSync(path, "utf8").replace(/\r?\n$/, "");
    return { secret, source: fileName, fault: null };
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    return faulty(`${fileName}: the file ${JSON.stringify(path)} cannot be read (${code}).`);
  }
}
