import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { printedDocument } from "@sightline/test-kit/command.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { runHosted } from "./command-host.ts";

const accountId = "7a9fe110-de30-4000-8000-0000000000f2";
const promptId = "11111111-1111-4111-8111-111111111112";

/** An account with an answer in September and one in October. */
function writeAccount(folder: string): void {
  const workspace = {
    account: { id: accountId, name: "Acme" },
    brand: { name: "Acme" },
    prompts: [{ id: promptId, text: "What is the best anvil?" }],
  };
  const lines = ["2026-09-30", "2026-10-01"].map((date) => {
    const answeredAt = `${date}T08:00:00Z`;
    return JSON.stringify({ promptId, provider: "GROK", answeredAt, text: "Acme." });
  });
  writeFileSync(join(folder, "workspace.yaml"), JSON.stringify(workspace));
  writeFileSync(join(folder, "answers.ndjson"), lines.join("\n"));
}

test("freeze writes an archive, and verify checks it from anywhere", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const run = (command: string) => runHosted(command.split(" "), { folder });
  const refused = async (command: string, message: RegExp) => {
    const { status, stderr } = await run(command);
    assert.equal(status, 2, stderr);
    assert.match(stderr, message);
  };
  writeAccount(folder);
  await run("apply workspace.yaml");
  await run("import answers.ndjson");
  const month = "--from 2026-10 --to 2026-11";
  const ranges = {
    timeRange: { from: "2026-10-01T00:00:00.000Z", to: "2026-11-01T00:00:00.000Z" },
    compare: { from: "2026-09-01T00:00:00.000Z", to: "2026-10-01T00:00:00.000Z" },
  };
  const account = { id: accountId, name: "Acme" };
  const { thumbprint, ...frozen } = printedDocument(
    await run(`freeze a.tar ${month} --json`),
  ) as Readonly<Record<string, unknown>>;
  const answers = { frozen: 2, ofRetiredPrompts: 0 };
  assert.deepEqual(frozen, { file: "a.tar", account, ...ranges, answers, files: 29 });
  assert.match(String(thumbprint), /^[\w-]{43}$/);
  assert.equal(statSync(join(folder, "a.tar")).mode & 0o777, 0o600);

  await refused(`freeze a.tar ${month}`, /a\.tar exists already\. Name a new file, or add --force/);
  await refused("freeze b.tar --from 2026-11 --to 2026-10", /must be before/);
  await refused("freeze b.tar --from 2026-10", /--to/);
  await refused(`freeze b.tar ${month} --compare-from 2026-09`, /go together/);
  await refused(
    `freeze b.tar ${month} --compare-from 2026-09 --compare-to 2026-10-02`,
    /must not overlap/,
  );
  await refused(`freeze b.tar ${month} --data-dir none`, /is not a Sightline data folder/);
  await refused("verify none.tar", /none\.tar: no such file/);
  const compared = "--compare-from 2026-08 --compare-to 2026-09";
  const again = await run(`freeze a.tar ${month} ${compared} --force`);
  assert.equal(
    again.stdout,
    `a.tar: Acme, 1 answer, 29 files.\nSigned with the key ${thumbprint}.\n`,
  );

  const verified = await run("verify a.tar");
  assert.equal(verified.status, 0, verified.stderr);
  assert.match(
    verified.stdout,
    /^a\.tar: Acme, frozen \S+\nRange: 2026-10-01T\S+ to \S+, compared /,
  );
  assert.match(verified.stdout, /numbers of 12 replies computed again: all agree\.\n$/);
  const bytes = readFileSync(join(folder, "a.tar"));
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 2_000) ^ 1, bytes.length - 2_000);
  writeFileSync(join(folder, "a.tar"), bytes);
  const damaged = await run("verify a.tar --json");
  assert.equal(damaged.status, 1);
  const { ok, faults } = printedDocument(damaged) as { ok: boolean; faults: { file: string }[] };
  assert.deepEqual([ok, faults.length], [false, 1]);
  const text = await run("verify a.tar");
  assert.match(text.stdout, /is not as it was written\n1 fault\. Nothing was computed again\.\n$/);
  const other = await run("verify workspace.yaml");
  assert.equal(other.status, 1);
  assert.match(other.stdout, /the archive: it ends too early/);
  const left = readdirSync(folder).toSorted();
  assert.deepEqual(left, ["a.tar", "answers.ndjson", "data", "workspace.yaml"]);
});
