import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { CreatedLinkResponse, LinksResponse, Report } from "@sightline/contract";
import { printedDocument } from "@sightline/test-kit/command.ts";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { runHosted } from "./command-host.ts";

const reportId = "3f0c8d1e-5b2a-4c6d-9e7f-0a1b2c3d4e5f";

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
  const topics = [{ id: view?.filters?.topics?.[0]?.id }];
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

test("links create: a report is shared by its name, the newest, or by its id", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const service = await TestService.start({ dataDir: join(folder, "data") });
  t.after(() => service.close());
  const reports = [{ name: "Weekly report", period: "last-week" }];
  const accountId = await service.apply({ account: { name: "A" }, brand: "A", reports });
  const token = await service.session(accountId, ["manage"]);
  const made: Report[] = [];
  for (let time = 0; time < 2; time++) {
    service.clock.advance(1_000);
    const reply = await service.post("/v1/reports", { token, body: { report: "Weekly report" } });
    made.push(reply.json<Report>());
  }
  const [older, newer] = made;
  for (const [typed, shared] of [
    ["Weekly report", newer],
    [older?.id ?? "", older],
  ] as const) {
    const run = await runHosted(["links", "create", "board", "--report", typed, "--json"], {
      folder,
    });
    const { kind, view, reportId, address } = printedDocument<CreatedLinkResponse>(run);
    assert.deepEqual([kind, view, reportId], ["report", null, shared?.id]);
    const page = await service.request("GET", address);
    assert.match(page.body, /<h1>Weekly report<\/h1>/);
    assert.equal(page.body.includes("Superseded: "), shared === older);
  }
  const listed = await runHosted(["links", "list"], { folder });
  assert.match(listed.stdout, new RegExp(`report +${newer?.id} +board +valid`));
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
    ["--kind report", /reportId: is required for the kind report\./],
    [`--report ${reportId} --kind csv`, /reportId: is not a field of the kind csv\./],
    [`--report ${reportId} --page sources`, /'--report <report>' cannot be used with option/],
    ["--report Yearly", /No report was made by the name "Yearly"\. See: sightline reports list\n$/],
    [`--report ${reportId}`, /reportId: must be the id of a report that the account made/],
  ] as const) {
    const { status, stderr } = await run(`links create board ${command}`);
    assert.deepEqual([status, fault.test(stderr)], [2, true], stderr);
  }
  assert.equal((await run("links list")).stdout, "There are no share links.\n");
});
