import { findInLines, type Rule } from "./rule.ts";
import { isTypeScript } from "./sources.ts";

// Needles are put together, so that this file does not hold what it looks for.
const joined = (...parts: readonly string[]): string => parts.join("");
const everyFile = (): boolean => true;

/** Names that say nothing: whatever has no place ends up below them. */
const emptyName = /^(utils?|helpers?|commons?|managers?|misc)$/;

const emptyNames: Rule = {
  name: "empty-names",
  remedy: "name the file after its one main export, in the words of docs/guide/glossary.md.",
  check: (tree) =>
    [...tree.paths].filter(isTypeScript).flatMap((path) => {
      const word = path.split(/[/.-]/).find((part) => emptyName.test(part));
      if (word === undefined) return [];
      return [{ path, line: 1, message: `is named "${word}", which says nothing` }];
    }),
  refuses: {
    "a file": { "packages/server/src/utils.ts": "" },
    "a part of a name": { "packages/server/src/query-helpers.test.ts": "" },
    "a folder": { "packages/common/src/a.ts": "" },
  },
  accepts: {
    "words that contain them": { "packages/server/src/commonality.ts": "", "utilisation.ts": "" },
  },
};

/** A folder of people or projects at the beginning of a path, not inside an address or a path. */
const machinePath = new RegExp(
  `(?<![\\w.~@})*-])/(${["work", "root", "home", "Users"].join("|")})/`,
);

const machinePaths: Rule = {
  name: "machine-paths",
  remedy: "write the path relative to the repository, or take it as an argument.",
  check: (tree) =>
    findInLines(tree, everyFile, (line) => {
      const [found] = machinePath.exec(line) ?? [];
      return found === undefined ? undefined : { message: `names a path of one machine: ${found}` };
    }),
  refuses: {
    "a workspace": { "a.md": joined("see /", "work/main") },
    "a home folder": { "a.json": joined('{"a":"/', 'home/someone"}') },
    "an address of a file": { "a.ts": joined("// file:///", "root/a") },
  },
  accepts: {
    "parts of other paths": { "a.md": "https://example.com/home/ ./work/a frame/work/b" },
  },
};

/** Any host that calls itself a registry, whosever it is. */
const registryHost = /\bregistry\.[a-z0-9-]+\.(?:com|dev|io|net|org)\b/;

const registries: Rule = {
  name: "registries",
  remedy: "leave the choice of the registry to npm's configuration; run tasks/lock for the lock.",
  check: (tree) =>
    findInLines(tree, everyFile, (line) => {
      const [host] = registryHost.exec(line) ?? [];
      if (host !== undefined) return { message: `names the registry ${host}` };
      const pinned = /"resolved": "https?:/.test(line) || /^\s*registry\s*=/.test(line);
      return pinned ? { message: "ties packages to one registry" } : undefined;
    }),
  refuses: {
    "a host": { "a.md": joined("https://registry.", "acme.org/a") },
    "a lock with addresses": { "package-lock.json": joined('  "resolved"', ': "https://a/b.tgz"') },
    "a setting": { ".npmrc": joined("registry", "=https://a/") },
  },
  accepts: {
    "a lock with links": { "package-lock.json": '  "resolved": "packages/cli",' },
    prose: { "a.md": "npm takes packages from the registry that it is set to." },
  },
};

const marker = new RegExp(`\\b(${joined("TO", "DO")}|${joined("FIX", "ME")})\\b`);

const markers: Rule = {
  name: "markers",
  remedy: "do it now, or write it where it is planned.",
  check: (tree) =>
    findInLines(
      tree,
      (path) => path !== "package-lock.json",
      (line) => (marker.test(line) ? { message: "leaves something to be done" } : undefined),
    ),
  refuses: {
    "in a comment": { "a.ts": joined("// TO", "DO: finish") },
    "in a document": { "a.md": joined("FIX", "ME later") },
  },
  accepts: { "ordinary words": { "a.ts": 'it("todo"); // MASTODON' } },
};

/** What no text of the repository may hold, and how no file may be named. */
export const textBans: readonly Rule[] = [emptyNames, machinePaths, registries, markers];
