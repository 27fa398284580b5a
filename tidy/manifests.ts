import type { Finding, Rule } from "./rule.ts";
import type { Source, Tree } from "./sources.ts";

const lockPath = "package-lock.json";
const versionPath = "packages/contract/src/version.ts";

interface Manifest {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface LockEntry {
  readonly link?: boolean;
  readonly integrity?: string;
}

const completeLock: Rule = {
  name: "complete-lock",
  remedy: "run tasks/lock: `npm ci` refuses a lock that leaves out another platform's packages.",
  check: (tree) =>
    tree.sources
      .filter(({ path }) => path === lockPath)
      .flatMap(({ path, text }) => {
        const { packages } = JSON.parse(text) as { packages: Record<string, Manifest> };
        return Object.values(packages)
          .flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
          .filter((name) => packages[`node_modules/${name}`] === undefined)
          .map((name) => ({ path, line: 1, message: `has no entry for ${name}` }));
      }),
  refuses: { "a platform without an entry": { [lockPath]: lockOf("node_modules/tool") } },
  accepts: {
    "an entry for each": { [lockPath]: lockOf("node_modules/tool", "node_modules/tool-darwin") },
  },
};

const hashedLock: Rule = {
  name: "hashed-lock",
  remedy: "run tasks/lock: `npm ci` checks no package that has no hash.",
  check: (tree) =>
    tree.sources
      .filter(({ path }) => path === lockPath)
      .flatMap(({ path, text }) => {
        const { packages } = JSON.parse(text) as { packages: Record<string, LockEntry> };
        return Object.entries(packages)
          .filter(([key, { link, integrity }]) => {
            return key.startsWith("node_modules/") && link !== true && integrity === undefined;
          })
          .map(([key]) => ({ path, line: 1, message: `has no hash of ${key.slice(13)}` }));
      }),
  refuses: { "a package without a hash": { [lockPath]: lockOf("node_modules/tool") } },
  accepts: {
    "a hash, and packages of ours": {
      [lockPath]: JSON.stringify({
        packages: {
          "packages/ours": {},
          "node_modules/ours": { link: true },
          "node_modules/tool": { integrity: "sha512-x" },
        },
      }),
    },
  },
};

const exactVersions: Rule = {
  name: "exact-versions",
  remedy: "write one version: what is published must not change by another's release.",
  check: (tree) =>
    manifests(tree).flatMap(({ source, manifest: { dependencies, devDependencies } }) =>
      Object.entries({ ...dependencies, ...devDependencies })
        .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
        .map(([name, version]) => at(source, `"${name}"`, `depends on ${name} as ${version}`)),
    ),
  refuses: {
    "a range": { "package.json": '{"devDependencies":{"a":"^1.0.0"}}' },
    "any version": { "packages/a/package.json": '{"dependencies":{"a":"*"}}' },
  },
  accepts: { "one version": { "package.json": '{"dependencies":{"a":"1.0.0","b":"1.5.6-r.1"}}' } },
};

const oneVersion: Rule = {
  name: "one-version",
  remedy: `the version of every package is the one in ${versionPath}.`,
  check: (tree) => {
    const text = tree.sources.find(({ path }) => path === versionPath)?.text ?? "";
    const [, wanted] = /"([^"]+)"/.exec(text) ?? [];
    return manifests(tree)
      .filter(({ manifest }) => manifest.version !== wanted)
      .map(({ source, manifest }) => {
        return at(source, '"version"', `has version ${manifest.version}, not ${wanted}`);
      });
  },
  refuses: { "another version": withVersions("1.0.0", "1.0.1") },
  accepts: { "the same version": withVersions("1.0.1", "1.0.1") },
};

/** What the package.json files and the lock must say. */
export const manifestRules: readonly Rule[] = [completeLock, hashedLock, exactVersions, oneVersion];

function manifests(tree: Tree): readonly { source: Source; manifest: Manifest }[] {
  return tree.sources
    .filter(({ path }) => /^(packages\/[^/]+\/)?package\.json$/.test(path))
    .map((source) => ({ source, manifest: JSON.parse(source.text) as Manifest }));
}

function at({ path, text }: Source, words: string, message: string): Finding {
  return { path, line: text.slice(0, text.indexOf(words)).split("\n").length, message };
}

function lockOf(...paths: readonly string[]): string {
  const entry: Manifest = { optionalDependencies: { "tool-darwin": "1.0.0" } };
  return JSON.stringify({ packages: Object.fromEntries(paths.map((path) => [path, entry])) });
}

function withVersions(ofPackage: string, ofProduct: string): Readonly<Record<string, string>> {
  return {
    "package.json": JSON.stringify({ version: ofPackage }),
    [versionPath]: `export const sightlineVersion = "${ofProduct}";`,
  };
}
