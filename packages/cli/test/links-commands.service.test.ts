import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { CreatedLinkResponse, LinksResponse } from "@sightline/contract";
import { printedDocument } from "@sightline/test-kit/command.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { runHosted } from "./command-host.ts";

test("links: create, list, revoke; the address is shown once", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const run = (command: string) => runHosted(command.split(" "), { folder });
  const json = async <Body>(command: string) => {
    const finished = await run(`${command} --json`);
    return [finished.status, printedDocument(finished) as Body] as const;
  };
  const workspace = { account: "A", brand: "A", topics: [{ name: "Hosting" }] };
  writeFileSync(join(folder, "workspace.json"), JSON.stringify(workspace));
  assert.equal((await run("apply workspace.json")).status, 0);
  writeFileSync(join(folder, "password"), "correct horse\nand more\n");

  const shown = "--page prompts --period last-month --compare none --topic hosting";
  const create = `links create board ${shown} --password-file password --evidence --expires-in 1w`;
  const [status, made] = await json<CreatedLinkResponse>(`${create} --url https://a.example/`);
  const { address, ...link } = made;
  assert.equal(status, 0);
  assert.match(address, /^https:\/\/a\.example\/share\/[\w-]{22}$/);
  const { view, hasPassword, showsEvidence, state, keyId } = link;
  const topics = [{ id: view.filters?.topics?.[0]?.id }];
  assert.deepEqual(
    { view, hasPassword, showsEvidence, state, keyId },
    {
      view: { page: "prompts", period: "last-month", compare: "none", filters: { topics } },
      hasPassword: true,
      showsEvidence: true,
      state: "valid",
      keyId: null,
    },
  );
  const plain = await run("links create sheet --kind csv --metric citations");
  assert.match(plain.stdout, /^\/share\/[\w-]{22}\/csv\n\nLink \S+ is valid without expiry\.\n/);

  const [, { links }] = await json<LinksResponse>("links list");
  assert.equal(links.length, 2);
  assert.deepEqual(
    links.find(({ linkId }) => linkId === link.linkId),
    link,
  );
  assert.equal(JSON.stringify(links).includes(address.slice(-22)), false);
  const [revoked, ended] = await json<typeof link>(`links revoke ${link.linkId}`);
  assert.deepEqual(
    [revoked, ended],
    [0, { ...ended, ...link, revokedAt: ended.revokedAt, state: "revoked" }],
  );
  assert.notEqual(ended.revokedAt, null);
  const unknown = await run("links revoke none");
  assert.deepEqual(
    [unknown.status, unknown.stderr],
    [1, "sightline: No share link has the id none. See: sightline links list\n"],
  );
});

test("links create: what is not allowed is said, and nothing is made", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const run = (command: string) => runHosted(command.split(" "), { folder });
  writeFileSync(join(folder, "workspace.json"), JSON.stringify({ account: "A", brand: "A" }));
  assert.equal((await run("apply workspace.json")).status, 0);
  for (const [command, fault] of [
    ["--period 13w", /view\/period: must be 7d, .*got "13w"\.\n$/],
    ["--compare 2026-02-30", /view\/compare: must be previous, year-ago, none, or a date/],
    ["--kind image --page sources", /view\/page: must be overview for the kind image, got sources/],
    ["--kind csv --evidence", /showsEvidence: A table and a picture have no texts of answers/],
    ["--password-file none", /--password-file: none cannot be read\./],
    ["--expires-in 3y", /expiresIn: must be a number above 0 followed by s, m, h, d or w/],
    ["--topic Hosting", /Hosting/],
  ] as const) {
    const { status, stderr } = await run(`links create board ${command}`);
    assert.deepEqual([status, fault.test(stderr)], [2, true], stderr);
  }
  assert.equal((await run("links list")).stdout, "There are no share links.\n");
});
