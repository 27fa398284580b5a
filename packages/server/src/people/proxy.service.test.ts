import assert from "node:assert/strict";
import { test } from "node:test";
import { fromConsole } from "@sightline/test-kit/console-page.ts";
import { invited, PersonPage, type ShownPerson } from "@sightline/test-kit/person-page.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";

const field = "x-forwarded-email";

function asked(service: TestService, path: string, email: string) {
  return service.request("GET", path, { headers: { ...fromConsole, [field]: email } });
}

test("a trusted proxy names the person, with each call", async (t) => {
  const settings = { personHeader: "X-Forwarded-Email", trustedProxies: "127.0.0.1" };
  const service = await TestService.start({ settings });
  t.after(() => service.close());
  const account = await service.apply({ account: "One", brand: "One" });
  const workspace = `/console/accounts/${account}/v1/workspace`;
  const ann = "Ann@example.com";
  assertProblem(await asked(service, "/console/person", ann), "session_required");
  await invited(service, account, { email: ann, role: "viewer" });
  assertProblem(await asked(service, workspace, ann), "session_required");
  const shown = (await asked(service, "/console/person", ann)).json<ShownPerson>();
  assert.deepEqual(shown.accounts, [{ id: account, name: "One", role: "viewer" }]);
  assert.equal((await asked(service, workspace, ann)).status, 200);
  const keys = await asked(service, `/console/accounts/${account}/v1/keys`, ann);
  assertProblem(keys, "scope_missing");
  assertProblem(await asked(service, workspace, ""), "session_required");
  assertProblem(await asked(service, workspace, "bea@example.com"), "session_required");
});

test("somebody who joined under an address is not its person to a proxy", async (t) => {
  const settings = { personHeader: "X-Forwarded-Email", trustedProxies: "127.0.0.1" };
  const service = await TestService.start({ settings });
  t.after(() => service.close());
  const account = await service.apply({ account: "One", brand: "One" });
  const squatter = await PersonPage.join(service, account, {
    email: "ann@example.com",
    role: "viewer",
  });
  const workspace = `/console/accounts/${account}/v1/workspace`;
  assertProblem(await asked(service, workspace, "ann@example.com"), "session_required");
  assert.equal((await asked(service, "/console/person", "ann@example.com")).status, 200);
  assertProblem(await squatter.request("GET", [account, "/v1/workspace"]), "session_required");
});

test("the field of anybody else is not looked at", async (t) => {
  const settings = { personHeader: "X-Forwarded-Email", trustedProxies: "192.0.2.1" };
  const service = await TestService.start({ settings });
  t.after(() => service.close());
  const account = await service.apply({ account: "One", brand: "One" });
  await invited(service, account, { email: "ann@example.com", role: "owner" });
  const nobody = { person: null, accounts: [], expiresAt: null };
  assert.deepEqual((await asked(service, "/console/person", "ann@example.com")).json(), nobody);
});
