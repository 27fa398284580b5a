import { dependenciesByPackage } from "./imports.ts";
import {
  absent,
  atTop,
  commandNames,
  commandsFolder,
  lacking,
  names,
  textOf,
} from "./named-in-pages.ts";
import type { Rule } from "./rule.ts";

const metricsPath = "packages/server/src/platform/metrics.ts";

const commandsPage = "docs/guide/commands.md";
const documentedCommands: Rule = {
  name: "documented-commands",
  remedy: `write the command into ${commandsPage} as \`sightline <name>\`.`,
  check: (tree) => {
    const commands = commandNames(tree).map((name) => `sightline ${name}`);
    if (commands.length === 0) return [absent(commandsFolder, "one file per command")];
    const text = textOf(tree, commandsPage)?.replaceAll("./sightline", "sightline");
    if (text === undefined) return [absent(commandsPage, commands.join(", "))];
    return commands
      .filter((command) => !names(text, command))
      .map((command) => atTop(commandsPage, `lacks ${command}`));
  },
  refuses: {
    "commands that do not exist": { [commandsPage]: "sightline serve" },
    "a page that does not exist": { [`${commandsFolder}serve.ts`]: "" },
    "a command without a word": { [`${commandsFolder}serve.ts`]: "", [commandsPage]: "servers" },
  },
  accepts: {
    "every command": {
      [`${commandsFolder}serve.ts`]: "",
      [`${commandsFolder}serve.test.ts`]: "",
      [commandsPage]: "    ./sightline serve --port 1",
    },
  },
};

const operationsPage = "docs/guide/operations.md";
const documentedMetrics: Rule = {
  name: "documented-metrics",
  remedy: `write the metric's name, type and meaning into ${operationsPage}.`,
  check: (tree) => {
    const found = textOf(tree, metricsPath)?.match(/\bsightline_[a-z_]*[a-z]\b/g) ?? [];
    if (found.length === 0) return [absent(metricsPath, "the names of the Prometheus metrics")];
    return lacking(tree, operationsPage, [...new Set(found)]);
  },
  refuses: {
    "metrics that do not exist": { [operationsPage]: "" },
    "a page that does not exist": { [metricsPath]: '"sightline_a"' },
    "a metric that is missing": {
      [metricsPath]: '"sightline_a", "sightline_a_b"',
      [operationsPage]: "sightline_a_b",
    },
  },
  accepts: {
    "every metric": { [metricsPath]: '"sightline_a"', [operationsPage]: "| `sightline_a` |" },
  },
};

const decidedDependencies: Rule = {
  name: "decided-dependencies",
  remedy: "write into docs/decisions what the package is for and what was rejected.",
  check: (tree) => {
    const decisions = tree.sources
      .filter(({ path }) => /^docs\/decisions\/.+\.md$/.test(path))
      .map(({ text }) => text)
      .join("\n");
    return [...dependenciesByPackage(tree)].flatMap(([folder, dependencies]) =>
      [...dependencies]
        .filter((name) => !name.startsWith("@sightline/") && !names(decisions, name))
        .map((name) => atTop(`packages/${folder}/package.json`, `${name} has no decision`)),
    );
  },
  refuses: {
    "a package without a decision": {
      "packages/a/package.json": '{"dependencies":{"b":"1"}}',
      "docs/decisions/b.md": "We use @a/b, b-c and bb.",
      "docs/guide/b.md": "b",
    },
  },
  accepts: {
    "a package with a decision, and our own": {
      "packages/a/package.json": '{"dependencies":{"@b/c":"1","@sightline/d":"1"}}',
      "docs/decisions/b.md": "We use `@b/c`.",
    },
    "a package for development": { "packages/a/package.json": '{"devDependencies":{"b":"1"}}' },
  },
};

/** What operators run and watch, and what they install with it. */
export const documentedOperations: readonly Rule[] = [
  documentedCommands,
  documentedMetrics,
  decidedDependencies,
];
