import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./folders.ts";

interface Entry {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * Adds the packages of other platforms that npm left out of the lock. npm leaves out each one that
 * the registry in use does not have; `npm ci` then refuses the lock, and an install on that
 * platform lacks the package. An entry made here has an exact version and no hash.
 */
const path = join(root, "package-lock.json");
const lock = JSON.parse(readFileSync(path, "utf8")) as { packages: Record<string, Entry> };
for (const { dev, optionalDependencies = {} } of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    lock.packages[`node_modules/${name}`] ??= { version, ...entryOf(name, dev) };
  }
}
const inOrder = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, "en"));
const text = JSON.stringify({ ...lock, packages: Object.fromEntries(inOrder) }, null, 2);
writeFileSync(path, `${text}\n`);

/** The rest of such an entry, in the order in which npm writes it. @throws on other names. */
function entryOf(name: string, dev: boolean | undefined): Entry {
  const platform = /-(android|darwin|linux|win32)-(arm64|x64)(?:-(musl))?$/;
  const [, os, cpu, libc] = platform.exec(name) ?? [];
  if (os === undefined || cpu === undefined) throw new Error(`${name} names no platform`);
  return {
    cpu: [cpu],
    ...(dev === undefined ? {} : { dev }),
    ...(libc === undefined ? {} : { libc: [libc] }),
    optional: true,
    os: [os],
  };
}
