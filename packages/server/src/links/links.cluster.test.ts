import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { validLinksMax } from "@sightline/contract";
import {
  type ControlEngineName,
  controlAddress,
  testOnEachEngine,
} from "@sightline/test-kit/engines/control-engines.ts";
import { everyEntry } from "@sightline/test-kit/every-entry.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { sampleWorkspace } from "@sightline/test-kit/sample-account.ts";
import { deleteAccount } from "../accounts/account-deletions.ts";
import { applyWorkspace } from "../accounts/apply-workspace.ts";
import { readWorkspaceFile } from "../accounts/workspace-file/read-workspace-file.ts";
import { auditOf } from "../audit/audit-log.ts";
import { openControl } from "../control/control.ts";
import { KeyRing } from "../keys/key-ring.ts";
import { linksOf, revokeLink } from "./link-store.ts";
import { Links } from "./links.ts";

const pepper = Buffer.alloc(32, 7);
const view = { page: "overview", period: "12w" } as const;
const wanted = { name: "board", kind: "view", view, expiresAt: null } as const;

async function opened(t: TestContext, engine: ControlEngineName) {
  const clock = new HeldClock();
  const control = await openControl(await controlAddress(t, engine), clock);
  t.after(() => control.close());
  const workspace = readWorkspaceFile(JSON.stringify(sampleWorkspace));
  const { accountId } = workspace;
  await applyWorkspace(control, accountId, workspace, { now: clock.now() });
  const keyRing = new KeyRing(control, pepper, clock);
  return { accountId, clock, control, keyRing, links: new Links({ control, keyRing, clock }) };
}

testOnEachEngine(
  "a link is found by its token, of which a hash alone is stored",
  async (t, engine) => {
    const { accountId, control, links } = await opened(t, engine);
    const made = await links.create(accountId, { ...wanted, password: "correct horse" });
    assert.ok(made !== null);
    assert.match(made.token, /^[\w-]{22}$/);
    assert.deepEqual(await links.find(made.token), made.link);
    for (const other of [`${made.token.slice(0, -1)}!`, made.token.slice(1), "", "A".repeat(22)]) {
      assert.equal(await links.find(other), null);
    }
    const rows = await control.database.selectFrom("links").selectAll().execute();
    const log = await auditOf(control, accountId, everyEntry);
    for (const secret of [made.token, "correct horse"]) {
      assert.equal(JSON.stringify([rows, log]).includes(secret), false);
    }
  },
);

testOnEachEngine(
  "a link is good until it is revoked or ends, by any process",
  async (t, engine) => {
    const { accountId, clock, control, keyRing, links } = await opened(t, engine);
    const elsewhere = new Links({ control, keyRing, clock });
    const one = await links.create(accountId, wanted);
    const two = await links.create(accountId, { ...wanted, expiresAt: clock.now() + 1_000 });
    const { keyId } = await keyRing.create(accountId, {
      name: "a",
      expiresAt: clock.now() + 5_000,
    });
    const actor = { kind: "key", id: keyId, name: "a", requestId: null } as const;
    const three = await links.create(accountId, wanted, { ...control, actor });
    assert.ok(one !== null && two !== null && three !== null);
    const states = () =>
      Promise.all([one, two, three].map(({ link }) => elsewhere.isStillGood(link)));
    assert.deepEqual(await states(), [true, true, true]);
    clock.advance(1_000);
    assert.deepEqual(await states(), [true, false, true]);
    await revokeLink(control, accountId, one.link.id, clock.now());
    assert.deepEqual(await states(), [false, false, true]);
    clock.advance(4_000);
    assert.deepEqual(await states(), [false, false, false]);
    const other = "cccccccc-0000-4000-8000-000000000009";
    assert.equal(await revokeLink(control, other, three.link.id, clock.now()), null);
  },
);

testOnEachEngine("links of keys that ended take no place of others", async (t, engine) => {
  const { accountId, clock, control, keyRing, links } = await opened(t, engine);
  const keys = [
    await keyRing.create(accountId, { name: "revoked", expiresAt: null }),
    await keyRing.create(accountId, { name: "expires", expiresAt: clock.now() + 5_000 }),
  ];
  const [revoked = "", expires = ""] = keys.map(({ keyId }) => keyId);
  const share = (id: string) => {
    const actor = { kind: "key", id, name: "", requestId: null } as const;
    return links.create(accountId, wanted, { ...control, actor });
  };
  for (let made = 0; made < validLinksMax; made += 2) {
    assert.ok((await share(revoked)) !== null && (await share(expires)) !== null);
  }
  assert.equal(await links.create(accountId, wanted), null);
  await keyRing.revoke(revoked);
  for (let made = 0; made < validLinksMax; made += 2) {
    assert.ok((await links.create(accountId, wanted)) !== null);
  }
  assert.equal(await links.create(accountId, wanted), null);
  clock.advance(5_000);
  assert.ok((await links.create(accountId, wanted)) !== null);
});

testOnEachEngine("a link whose person may make none any more is not made", async (t, engine) => {
  const { accountId, control, links } = await opened(t, engine);
  const actor = { kind: "person", id: "removed meanwhile", name: "", requestId: null } as const;
  const made = links.create(accountId, wanted, { ...control, actor });
  await assert.rejects(made, /role of the person has changed/);
  assert.deepEqual(await linksOf(control, accountId, { before: null, limit: 5 }), []);
});

testOnEachEngine("uses are counted, also by several processes", async (t, engine) => {
  const { accountId, clock, control, keyRing, links } = await opened(t, engine);
  const elsewhere = new Links({ control, keyRing, clock });
  const made = await links.create(accountId, wanted);
  assert.ok(made !== null);
  for (let use = 0; use < 5; use++) {
    await links.noteUse(made.link);
    await elsewhere.noteUse(made.link);
  }
  const uses = async () => (await links.find(made.token))?.uses;
  assert.equal(await uses(), 2);
  clock.advance(60_000);
  await links.writeUses();
  await elsewhere.writeUses();
  assert.equal(await uses(), 10);
  const [listed, ...others] = await linksOf(control, accountId, { before: null, limit: 5 });
  assert.deepEqual([listed?.lastUsedAt, others], [clock.now() - 60_000, []]);
});

testOnEachEngine("links go with their account", async (t, engine) => {
  const { accountId, clock, control, links } = await opened(t, engine);
  const made = await links.create(accountId, wanted);
  await deleteAccount(control, accountId, clock.now());
  assert.equal(await links.find(made?.token ?? ""), null);
  assert.equal(made !== null && (await links.isStillGood(made.link)), false);
});
