import assert from "node:assert/strict";
import { test } from "node:test";
import { accountsMax } from "@sightline/contract";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { startSample } from "@sightline/test-kit/sample-account.ts";
import { allAccounts } from "../../account-store.ts";

test("a file that declares no account creates none, and no key", async (t) => {
  const { service, accountId } = await startSample(t);
  const token = await service.session(accountId, ["accounts"]);
  const paths = async (body: unknown) => {
    const reply = await service.post("/v1/accounts", { token, body: JSON.stringify(body) });
    return assertProblem(reply, "invalid_request").errors?.map(({ path }) => path);
  };
  assert.deepEqual(await paths({ brand: "Globex" }), ["/account"]);
  assert.deepEqual(
    await paths({ account: "Globex", brand: { name: "Globex", domains: ["a b"] } }),
    ["/brand/domains/0"],
  );
  assert.deepEqual(await paths([]), [""]);
  assertProblem(await service.post("/v1/accounts", { token, body: "{" }), "malformed_json");
  assert.equal((await allAccounts(service.services.control)).length, 1);
});

test("a service has a bounded number of accounts", async (t) => {
  const { service, accountId } = await startSample(t);
  const { control, clock } = service.services;
  const token = await service.session(accountId, ["accounts"]);
  const rows = Array.from({ length: accountsMax - 2 }, (_, number) => {
    const id = `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
    return { id, name: "x", created_at: clock.now(), recorded: 0 };
  });
  for (let first = 0; first < rows.length; first += 500) {
    await control.database
      .insertInto("accounts")
      .values(rows.slice(first, first + 500))
      .execute();
  }
  const create = (name: string) =>
    service.post("/v1/accounts", { token, body: { account: name, brand: name } });
  assert.equal((await create("Last")).status, 200);
  assertProblem(await create("One more"), "invalid_request");
  assert.equal((await allAccounts(control)).length, accountsMax);
});
