import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { providers } from "@sightline/contract";
import { temporaryFolder } from "@sightline/server/test/test-service.ts";
import { sightlineProgram } from "../program.ts";
import { bashCompletion } from "./bash.ts";
import { commandTree } from "./command-tree.ts";
import { fishCompletion } from "./fish.ts";
import { zshCompletion } from "./zsh.ts";

const tree = commandTree(await sightlineProgram([]));

/** Command lines with the cursor at their end, and what bash offers there. */
const offered: readonly (readonly [line: string, words: readonly string[]])[] = [
  ["sightline quer", ["query"]],
  ["./sightline lo", ["login", "logout"]],
  ["sightline keys ", ["create", "list", "revoke", "rotate-signing", "help"]],
  ["sightline query mentions --bra", ["--branded"]],
  ["sightline query mentions --format ", ["table", "json", "csv", "ndjson"]],
  ["sightline query mentions --format = js", ["json"]],
  ["sightline query overall-visibility --interval w", ["weekly"]],
  ["sightline query mentions --provider ", providers],
  [
    "sightline query mentions --provider OPENAI GOOGLE_AI_",
    ["GOOGLE_AI_MODE", "GOOGLE_AI_OVERVIEW"],
  ],
  ["sightline query mentions --provider OPENAI --plo", ["--plot"]],
  ["sightline query mentions --topic --group", []],
  ["sightline query sources --group-by url --al", ["--all"]],
  ["sightline completion ", ["bash", "zsh", "fish"]],
  ["sightline apply work", ["work.yaml", "work folder"]],
  ["sightline serve --data-dir work", ["work folder"]],
  ["sightline query mentions --from ", []],
];

test("bash offers commands, options, their values and files", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "work.yaml"), "");
  mkdirSync(join(folder, "work folder"));
  const asking = offered.map(([line]) => {
    const words = line.split(" ").map((word) => `'${word}'`);
    return `COMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}; _sightline
      printf '%s|' "\${COMPREPLY[@]}"; echo`;
  });
  const script = [bashCompletion(tree), ...asking].join("\n");
  const child = spawn("bash", ["--norc", "-u"], { cwd: folder, stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.end(script.replace("complete -F", "COMPREPLY=(); complete -F"));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  assert.equal(stderr, "");
  const answers = stdout.trimEnd().split("\n");
  for (const [index, [line, words]] of offered.entries()) {
    const got = (answers[index] ?? "").split("|").filter((word) => word !== "");
    assert.deepEqual(got.toSorted(), [...words].toSorted(), line);
  }
});

test("every command, option and choice is in every script", () => {
  const scripts = [bashCompletion(tree), zshCompletion(tree), fishCompletion(tree)];
  assert.ok(tree.length > 20, `${tree.length} commands`);
  for (const { path, options } of tree) {
    for (const script of scripts) {
      assert.ok(script.includes(path.join(" ")), path.join(" "));
      for (const { names, choices } of options) {
        for (const name of [...names.map((each) => each.replace(/^--?/, "")), ...choices]) {
          assert.ok(script.includes(name), `${path.join(" ")} ${name}`);
        }
      }
    }
  }
});

for (const [shell, script] of [
  ["bash", bashCompletion(tree)],
  ["zsh", zshCompletion(tree)],
  ["fish", fishCompletion(tree)],
] as const) {
  test(`the script is good ${shell}, as far as this machine can tell`, () => {
    assert.ok(script.endsWith("\n") && !script.includes("undefined"));
    const quotes = script.replaceAll(/\\.|^ *#.*$/gm, "").match(/'/g)?.length ?? 0;
    assert.equal(quotes % 2, 0, "an odd number of quotes");
    const parsed = spawnSync(shell, ["-n"], { input: script, encoding: "utf8" });
    if (parsed.error === undefined) assert.deepEqual([parsed.status, parsed.stderr], [0, ""]);
    else assert.equal((parsed.error as NodeJS.ErrnoException).code, "ENOENT");
  });
}
