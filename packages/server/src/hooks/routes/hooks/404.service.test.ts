import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { CreatedHookResponse } from "@sightline/contract";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { deliveriesOf } from "../../delivery-store.ts";
import { hooksOf } from "../../hook-store.ts";

const service = await TestService.start();
after(() => service.close());

/** Deletes, tests and lists the deliveries of a webhook. */
async function callAll(token: string, id: string) {
  const headers = { authorization: `Bearer ${token}` };
  return [
    await service.request("DELETE", `/v1/hooks/${id}`, { headers }),
    await service.post(`/v1/hooks/${id}/test`, { token }),
    await service.request("GET", `/v1/hooks/${id}/deliveries`, { headers }),
  ];
}

test("a webhook of another account is an unknown one, and stays", async () => {
  const own = await service.apply({ account: "Own", brand: "Acme" });
  const other = await service.apply({ account: "Other", brand: "Acme" });
  const token = await service.session(own, ["manage"]);
  const body = { url: "https://example.com/" };
  const foreign = await service.post("/v1/hooks", {
    token: await service.session(other, ["manage"]),
    body,
  });
  const { id } = foreign.json<CreatedHookResponse>();
  for (const each of [id, "00000000-0000-4000-8000-000000000000", "x'--", "%00", "..%2f"]) {
    for (const reply of await callAll(token, each)) {
      const { detail } = assertProblem(reply, "not_found");
      assert.match(detail, /^The account has no webhook "/);
    }
  }
  const { control, clock } = service.services;
  assert.equal((await hooksOf(control, other)).length, 1);
  assert.deepEqual(await deliveriesOf(control, other, id, clock.now()), []);
});
