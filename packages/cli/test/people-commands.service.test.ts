import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { ChangedPersonResponse, PeopleResponse } from "@sightline/contract";
import { printedDocument } from "@sightline/test-kit/command.ts";
import { fromConsole } from "@sightline/test-kit/console-page.ts";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { runHosted } from "./command-host.ts";

async function opened(t: TestContext) {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const run = (command: string) => runHosted(command.split(" "), { folder });
  const printed = async <Document>(command: string) => {
    const finished = await run(`${command} --json`);
    assert.equal(finished.status, 0, finished.stderr);
    return printedDocument(finished) as Document;
  };
  writeFileSync(join(folder, "workspace.json"), JSON.stringify({ account: "A", brand: "A" }));
  assert.equal((await run("apply workspace.json")).status, 0);
  return { folder, run, printed };
}

/** What a browser does with a code. */
async function posted(folder: string, path: string, body: object) {
  const service = await TestService.start({ dataDir: join(folder, "data") });
  try {
    return await service.post(path, { body, headers: fromConsole });
  } finally {
    await service.close();
  }
}

test("people are invited, listed, given roles and removed by a command", async (t) => {
  const { folder, run, printed } = await opened(t);
  assert.match((await run("people list")).stdout, /Nobody yet/);
  const url = "--url https://sightline.example/";
  const { stdout } = await run(`people invite Ann@Example.com --role owner ${url}`);
  const [, code] = /^https:\/\/sightline\.example\/#invitation=([\w-]{43})$/m.exec(stdout) ?? [];
  assert.ok(code !== undefined, stdout);
  const open = await printed<PeopleResponse>("people list");
  assert.deepEqual(
    open.invitations.map(({ email, role, invitedBy }) => [email, role, invitedBy]),
    [["ann@example.com", "owner", userInfo().username]],
  );
  const accept = "/console/person/invitation/accept";
  assert.equal((await posted(folder, accept, { code, name: "Ann" })).status, 200);
  const { people, invitations } = await printed<PeopleResponse>("people list");
  assert.deepEqual(
    [people.map(({ email, name, role }) => [email, name, role]), invitations],
    [[["ann@example.com", "Ann", "owner"]], []],
  );
  const lowered = await printed<ChangedPersonResponse>("people role ann@example.com analyst");
  assert.deepEqual([lowered.role, lowered.revokedKeys], ["analyst", []]);
  const { link } = await printed<{ link: string }>(`people link ann@example.com ${url}`);
  const [, signIn] = /^https:\/\/sightline\.example\/#person=(.+)$/.exec(link) ?? [];
  const signedIn = await posted(folder, "/console/person/sessions", { code: signIn });
  assert.equal(signedIn.status, 200, signedIn.body);
  assert.match((await run("people remove ann@example.com")).stdout, /was removed/);
  assert.match((await run("people list")).stdout, /Nobody yet/);
  const made = await printed<{ entries: { subject: string }[] }>(
    "audit list --service --action person.link_created",
  );
  assert.deepEqual(
    made.entries.map(({ subject }) => subject),
    [lowered.personId],
  );
});

test("what cannot be done is refused in words", async (t) => {
  const { run } = await opened(t);
  const refusals = [
    ["people invite nobody", /"nobody" is not an e-mail address/],
    ["people invite a@example.com --role king", /king/],
    ["people invite a@example.com --expires-in 31d", /at most 30d/],
    ["people role a@example.com king", /"king" is not a role. Use viewer, analyst/],
    ["people role a@example.com viewer", /a@example\.com does not belong to the account/],
    ["people remove a@example.com", /does not belong/],
    ["people link a@example.com", /Nobody is known by a@example\.com/],
  ] as const;
  for (const [command, said] of refusals) {
    const { status, stderr } = await run(command);
    assert.notEqual(status, 0, command);
    assert.match(stderr, said);
  }
});
