import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { latestCommits, messageFaults } from "./commits.ts";
import { root } from "./sources.ts";

const good = { hash: "0123456789", subject: "fix(server): a b", body: "Why.\n\nChecked by c.\n" };

const faulty = {
  "a subject that is too long": { subject: `fix: ${"a".repeat(71)}` },
  "a subject without a type": { subject: "Fixes a b" },
  "no body": { body: "\n" },
  "a wide line in the body": { body: `Why.\n${"a".repeat(121)}` },
};

for (const [title, part] of Object.entries(faulty)) {
  test(`${title} is a fault`, () => {
    assert.equal(messageFaults({ ...good, ...part }).length, 1);
  });
}

test("a subject of 75 columns and a body of 120 are none", () => {
  const subject = `fix: ${"é".repeat(70)}`;
  assert.deepEqual(messageFaults({ ...good, subject, body: "🦊".repeat(120) }), []);
});

test("history is read without merges and without what is older than the check", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "commits-"));
  t.after(() => rmSync(folder, { recursive: true }));
  // Of no repository that this folder may lie in.
  assert.equal(latestCommits(folder), null);
  const commit = (date: string, ...message: readonly string[]) => {
    const env = {
      ...process.env,
      GIT_AUTHOR_DATE: date,
      GIT_AUTHOR_NAME: "a",
      GIT_AUTHOR_EMAIL: "a@example.com",
      GIT_COMMITTER_NAME: "a",
      GIT_COMMITTER_EMAIL: "a@example.com",
    };
    const said = message.flatMap((part) => ["-m", part]);
    execFileSync("git", ["commit", "-q", "--allow-empty", ...said], { cwd: folder, env });
  };
  execFileSync("git", ["init", "-q"], { cwd: folder });
  assert.equal(latestCommits(folder), null);
  commit("2026-11-23T12:59:59Z", "old");
  commit("2026-11-23T13:00:00Z", "feat: first", "Why.", "How.");
  commit("2027-01-01T00:00:00Z", "second");
  const commits = latestCommits(folder) ?? [];
  assert.deepEqual(
    commits.map(({ subject, body }) => [subject, body]),
    [
      ["second", ""],
      ["feat: first", "Why.\n\nHow.\n"],
    ],
  );
});

test("the latest commits say what changes, why, and how it was checked", (t) => {
  const commits = latestCommits(root);
  if (commits === null) return t.diagnostic("commits are not checked: there is no git history");
  const faults = commits.flatMap(messageFaults);
  assert.equal(faults.map((fault) => `\n${fault}`).join(""), "");
});
