import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startCommand } from "@sightline/test-kit/command.ts";
import { everyEntry } from "@sightline/test-kit/every-entry.ts";
import { corpusWorkspace } from "@sightline/test-kit/sample-corpus.ts";
import { seededRandom } from "@sightline/test-kit/seeded-random.ts";
import { allAccounts } from "../../src/accounts/account-store.ts";
import { auditOf, verifyAudit } from "../../src/audit/audit-log.ts";
import { acceptInvitation, invitationsOf, invite } from "../../src/people/invitation-store.ts";
import { membersOf } from "../../src/people/person-store.ts";
import { openStorage } from "../../src/storage.ts";
import type { CrashCommandsOptions, Kills } from "./crash-commands.ts";
import { killedAfter, longest, succeeds, timeSince } from "./killed-commands.ts";

/**
 * Kills commands that invite, change roles and remove people. What they did is there with its
 * entry, or neither is; the chain of entries is whole.
 */
export async function crashPeople({ folder, rounds, seed }: CrashCommandsOptions): Promise<Kills> {
  const random = seededRandom(seed);
  const dataDir = join(folder, "people");
  const workspace = join(folder, "people.json");
  writeFileSync(workspace, JSON.stringify(corpusWorkspace));
  await succeeds(startCommand(["apply", workspace, "--data-dir", dataDir]));
  const began = () => existsSync(join(dataDir, "control.sqlite-wal"));
  const start = (...words: readonly string[]) =>
    startCommand(["people", ...words, "--data-dir", dataDir]);
  const aloneMs = await timeSince(began, start("invite", "first@example.com"));
  let kills = 0;
  for (let round = 0; round < rounds; round++) {
    const email = `somebody.${round}@example.com`;
    await addMember(dataDir, email);
    const delayMs = () => random() * longest(round, aloneMs);
    const commands = [
      start("invite", `invited.${round}@example.com`),
      start(...(round % 2 === 0 ? ["role", email, "analyst"] : ["remove", email])),
    ];
    const met = commands.map((each) => killedAfter(each, { began, delayMs: delayMs() }));
    kills += (await Promise.all(met)).filter(Boolean).length;
    await requireEntries(dataDir);
  }
  return { kills, rounds: rounds * 2 };
}

/** Somebody who accepts an invitation. */
async function addMember(dataDir: string, email: string): Promise<void> {
  const { control, clock, close } = await openStorage(dataDir);
  const [account] = await allAccounts(control);
  const now = clock.now();
  const asked = { email, role: "viewer", expiresAt: now + 60_000 } as const;
  const { invitation } = await invite(control, account?.id ?? "", asked, now);
  const { id: invitationId } = invitation;
  const accepted = { invitationId, name: email, personId: null, requestId: null, now };
  assert.ok((await acceptInvitation(control, invitation, accepted)) !== null);
  await close();
}

/** What the entries say is there is there, and nothing else. */
async function requireEntries(dataDir: string): Promise<void> {
  const { control, clock, close } = await openStorage(dataDir);
  const [account] = await allAccounts(control);
  const accountId = account?.id ?? "";
  const entries = (await auditOf(control, accountId, everyEntry)).toReversed();
  const roles = new Map<string, unknown>();
  const invited = new Set<string>();
  for (const { action, subject, after } of entries) {
    if (action === "invitation.created") invited.add(String(after?.["email" as keyof object]));
    if (action === "person.joined" || action === "person.changed") {
      roles.set(subject ?? "", after?.["role" as keyof object]);
    }
    if (action === "person.joined") invited.delete(String(after?.["email" as keyof object]));
    if (action === "person.removed") roles.delete(subject ?? "");
  }
  const members = await membersOf(control, accountId);
  const open = await invitationsOf(control, accountId, clock.now());
  const { brokenAt } = await verifyAudit(control, accountId);
  await close();
  assert.deepEqual(new Map(members.map(({ id, role }) => [id, role])), roles);
  assert.deepEqual(new Set(open.map(({ email }) => email)), invited);
  assert.equal(brokenAt, null);
}
