import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./folders.ts";

interface Entry {
  readonly version?: string;
  readonly integrity?: string;
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
 * platform lacks the package. Each entry gets the hash that the registry publishes for its version.
 */
const path = join(root, "package-lock.json");
const lock = JSON.parse(readFileSync(path, "utf8")) as { packages: Record<string, Entry> };
for (const { dev, optionalDependencies = {} } of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const key = `node_modules/${name}`;
    const known = lock.packages[key];
    if (known?.integrity !== undefined) continue;
    const { version: locked = version, ...rest } = known ?? entryOf(name, dev);
    lock.packages[key] = { version: locked, integrity: hashOf(name, locked), ...rest };
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

/** The SHA-512 that the registry publishes. @throws where it has none. */
function hashOf(name: string, version: string): string {
  const told = execFileSync("npm", ["view", `${name}@${version}`, "dist.integrity"], {
    encoding: "utf8",
  });
  const hash = told.trim();
  if (!hash.startsWith("sha512-"))
    throw new Error(`the registry has no hash of ${name} ${version}`);
  return hash;
}
