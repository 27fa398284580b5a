import assert from "node:assert/strict";
import { registerHooks } from "node:module";
import { test } from "node:test";

/** What was loaded, by its address, since it was last emptied. */
const loaded = new Set<string>();
registerHooks({
  load: (url, context, next) => {
    loaded.add(url);
    return next(url, context);
  },
});

const { commands } = await import("./commands.ts");
const { sightlineProgram } = await import("./program.ts");

const protocol = "@modelcontextprotocol/server";
const heavy = ["@duckdb/node-api", "fastify", "tldts", "tar"];
/** The settings may name a file of prices; it is loaded in 6 ms. */
const parser = "js-yaml";

function loadedOf(packages: readonly string[]): readonly string[] {
  return packages.filter((name) => [...loaded].some((url) => url.includes(`/${name}/`)));
}

test("version, help and an unknown word name all commands, and load none", async () => {
  const names = async (...parameters: readonly string[]) =>
    (await sightlineProgram(parameters)).commands.map((command) => command.name());
  const all = Object.keys(commands);
  assert.ok(all.includes("serve") && all.includes("query"));
  for (const word of ["--version", "--help", "help", "toString"]) {
    assert.deepEqual(await names(word), all);
  }
  assert.deepEqual(await names(), all);
  assert.deepEqual(loadedOf(["zod", "better-sqlite3", ...heavy]), []);
});

test("import loads the record, and neither the engine nor HTTP", async () => {
  const program = await sightlineProgram(["import"]);
  assert.deepEqual(
    program.commands.map((command) => command.name()),
    ["import"],
  );
  const [delimited] = (await sightlineProgram(["--", "import"])).commands;
  assert.ok(delimited?.options.length, "it is loaded after -- as well");
  assert.deepEqual(loadedOf(["better-sqlite3", "zod", protocol, parser, ...heavy]), [
    "better-sqlite3",
    "zod",
    parser,
  ]);
});

test("a command over HTTP loads nothing of the server", async () => {
  loaded.clear();
  await sightlineProgram(["query"]);
  assert.ok([...loaded].some((url) => url.includes("/packages/cli/src/questions/")));
  assert.deepEqual(
    [...loaded].filter((url) => url.includes("/packages/server/")),
    [],
  );
});

test("serve loads what serves, and the tools for assistants when one asks", async () => {
  await sightlineProgram(["serve"]);
  const later = [protocol, "tar"];
  assert.deepEqual(loadedOf(["@duckdb/node-api", "fastify", ...later]), [
    "@duckdb/node-api",
    "fastify",
  ]);
  const drivers = ["pg", "@clickhouse/client", "ioredis"];
  assert.deepEqual(loadedOf(drivers), [], "they are loaded for an address");
});

test("a command that help is asked for is loaded, and says what the list says", async () => {
  for (const [name, { description }] of Object.entries(commands)) {
    const [command, ...others] = (await sightlineProgram(["help", name])).commands;
    assert.deepEqual([command?.name(), command?.description(), others], [name, description, []]);
  }
});
