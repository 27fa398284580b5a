import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import { printedDocument, runCommand } from "@sightline/test-kit/command.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { runHosted } from "./command-host.ts";
import { run } from "./run-in-process.ts";

const commands = ["", "demo", "serve", "apply", "import", "keys"];
const keyCommands = ["keys create", "keys list", "keys revoke"];

const words = (command: string) => command.split(" ").filter((word) => word !== "");

test("--help of every command: what it does and its options, status 0", async () => {
  const all = [...commands, ...keyCommands];
  const helps = await Promise.all(all.map((command) => run([...words(command), "--help"])));
  for (const [index, { status, stdout, stderr }] of helps.entries()) {
    const command = all[index] ?? "";
    assert.deepEqual([status, stderr], [0, ""], command);
    assert.match(stdout, new RegExp(`^Usage: ${["sightline", ...words(command)].join(" ")} `));
    if (!["", "keys"].includes(command)) assert.match(stdout, /--data-dir/);
    if (!["", "keys"].includes(command)) assert.match(stdout, /--json/);
  }
});

test("the version", async () => {
  const { status, stdout } = await runCommand(["--version"]);
  assert.equal(status, 0);
  assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
});

test("output that cannot be written, as on a full disk: one line, status 1", async () => {
  const through = ["sh", "-c", 'exec "$@" > /dev/full', "sh"];
  for (const json of [[], ["--json"]]) {
    const { status, stderr } = await runCommand(["--version", ...json], { through });
    assert.equal(status, 1);
    assert.match(stderr, /^sightline: standard output cannot be written: ENOSPC: [^\n]*\n$/);
  }
});

/** A command line, and what its complaint says. Each ends with status 2. */
const wrong: readonly (readonly [line: string, complaint: RegExp])[] = [
  ["imprt a.ndjson", /unknown command 'imprt'\s+\(Did you mean import\?\)/],
  ["keys creat", /unknown command 'creat'\s+\(Did you mean create\?\)/],
  ["import a.ndjson --acount x", /unknown option '--acount'\s+\(Did you mean --account\?\)/],
  ["import", /missing required argument 'files'/],
  ["apply", /missing required argument 'files'/],
  ["doctor a", /too many arguments for 'doctor'/],
  ["serve --port", /option '--port <port>' argument missing/],
  ["keys revoke", /missing required argument 'keyId'/],
];

test("wrong usage: the fault, the nearest name, status 2, with --json a document", async () => {
  const plain = await Promise.all(wrong.map(([line]) => run(words(line))));
  for (const [index, [line, complaint]] of wrong.entries()) {
    assert.deepEqual([plain[index]?.status, plain[index]?.stdout], [2, ""], line);
    assert.match(plain[index]?.stderr ?? "", complaint);
  }
  const withJson = await Promise.all(
    wrong
      .filter(([line]) => !line.endsWith("--port"))
      .map(
        async ([line, complaint]) => [await run([...words(line), "--json"]), complaint] as const,
      ),
  );
  for (const [finished, complaint] of withJson) {
    assert.equal(finished.status, 2);
    assert.match(
      printedDocument<{ error: { message: string } }>(finished).error.message,
      complaint,
    );
  }
});

test("all faults of a configuration together, each with its source", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const flags = ["--port", "70000", "--session-ttl-seconds", "5", "--data-dir", ""];
  const environment = { SIGHTLINE_LOG_LEVEL: "loud", SIGHTLINE_ISSUER: "a b", SIGHTLINE_PORT: "1" };
  const options = { folder, environment };
  const { status, stdout, stderr } = await runHosted(["serve", ...flags], options);
  assert.deepEqual([status, stdout], [2, ""]);
  const [first, ...faults] = stderr.trimEnd().split("\n");
  assert.equal(first, "sightline: Invalid configuration:");
  const expected = [
    '--data-dir: invalid value "". Expected:',
    '--port: invalid value "70000". Expected:',
    '--session-ttl-seconds: invalid value "5". Expected:',
    'SIGHTLINE_ISSUER: invalid value "a b". Expected:',
    'SIGHTLINE_LOG_LEVEL: invalid value "loud". Expected:',
  ];
  assert.deepEqual(
    faults.map((fault) => `${fault.trim().split("Expected:")[0]}Expected:`),
    expected,
  );
  const finished = await runHosted(["serve", ...flags, "--json"], options);
  const { error } = printedDocument<{ error: { faults: readonly string[] } }>(finished);
  assert.equal(error.faults.length, expected.length);
});

test("a data folder that cannot be made is a failure, told in one line", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const parameters = ["keys", "list", "--data-dir", "/dev/null/data", "--json"];
  const finished = await runCommand(parameters, { folder });
  assert.equal(finished.status, 1);
  assert.match(printedDocument<{ error: { message: string } }>(finished).error.message, /ENOTDIR/);
  assert.equal(finished.stderr.trimEnd().split("\n").length, 1);
});
