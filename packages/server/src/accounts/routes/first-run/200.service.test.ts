import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { cookieOf, fromConsole, type SignedIn } from "@sightline/test-kit/console-page.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { allAccounts } from "../../account-store.ts";
import { firstRunCode } from "../../first-run/link.ts";

const workspace = {
  account: "Acme",
  brand: { name: "Acme", domains: ["acme.example"] },
  competitors: ["Globex"],
};

test("a link creates the first account once, and signs in with every scope", async (t) => {
  const dataDir = temporaryFolder();
  t.after(() => rmSync(dataDir, { recursive: true }));
  const service = await TestService.start({ dataDir });
  t.after(() => service.close());
  const { keyRing, clock, control } = service.services;
  const ask = (path: string, body: object) => service.post(path, { body, headers: fromConsole });
  const state = () => service.request("GET", "/console/first-run", { headers: fromConsole });
  assert.deepEqual((await state()).json(), { isEmpty: true });

  const [code, other] = [
    firstRunCode(keyRing, clock.now()),
    firstRunCode(keyRing, clock.now() + 1),
  ];
  for (let round = 0; round < 2; round++) {
    const checked = await ask("/console/first-run", { code });
    assert.deepEqual(checked.json(), { expiresAt: "2026-06-01T13:00:00.000Z" });
    assert.equal(checked.headers["cache-control"], "no-store");
  }
  // A form with a fault leaves the link as it is.
  const wrong = { account: "Acme", brand: { name: "" } };
  const fault = await ask("/console/first-run/account", { code, workspace: wrong });
  assert.deepEqual(
    assertProblem(fault, "invalid_request").errors?.map(({ path }) => path),
    ["/brand/name"],
  );
  const created = await ask("/console/first-run/account", { code, workspace });
  assert.equal(created.status, 200, created.body);
  const { account, scopes, key } = created.json<SignedIn & { readonly key: string }>();
  assert.equal(account.name, "Acme");
  assert.deepEqual(scopes, ["read", "import", "manage", "accounts", "people"]);
  assert.equal((await keyRing.verify(key))?.accountId, account.id);
  const headers = { ...fromConsole, cookie: cookieOf(created).pair };
  const path = `/console/accounts/${account.id}`;
  const shown = await service.request("GET", `${path}/session`, { headers });
  assert.equal(shown.json<{ key?: string }>().key, undefined);
  const tracked = await service.request("GET", `${path}/v1/workspace`, { headers });
  assert.deepEqual(tracked.json<{ brand: { name: string } }>().brand.name, "Acme");

  assert.deepEqual((await state()).json(), { isEmpty: false });
  for (const used of [code, other]) {
    assertProblem(await ask("/console/first-run", { code: used }), "key_invalid");
    const again = await ask("/console/first-run/account", { code: used, workspace });
    assertProblem(again, "key_invalid");
  }
  assert.equal((await allAccounts(control)).length, 1);
  // Neither the link nor the key is in any file.
  const secrets = [code, other, key].map((secret) => Buffer.from(secret.slice(-20)));
  for (const name of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
    if (!name.isFile()) continue;
    const bytes = readFileSync(join(name.parentPath, name.name));
    assert.ok(
      secrets.every((secret) => !bytes.includes(secret)),
      name.name,
    );
  }
});
