import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { CreatedHookResponse } from "@sightline/contract";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { addDelivery, deliveryById } from "../../delivery-store.ts";

const service = await TestService.start();
after(() => service.close());
const accountId = await service.apply({ account: "Hooks", brand: "Acme" });
const token = await service.session(accountId, ["manage"]);

test("a webhook is deleted, with its log", async () => {
  const body = { url: "https://example.com/" };
  const created = await service.post("/v1/hooks", { token, body });
  const { secret, ...hook } = created.json<CreatedHookResponse>();
  const { control, clock } = service.services;
  const event = { id: "msg_1", hookId: hook.id, event: "moved", body: "{}" } as const;
  const createdAt = clock.now();
  await addDelivery(control, accountId, { ...event, createdAt, nextAt: createdAt + 1 });
  const headers = { authorization: `Bearer ${token}` };
  const remove = () => service.request("DELETE", `/v1/hooks/${hook.id.toUpperCase()}`, { headers });
  const reply = await remove();
  assert.deepEqual([reply.status, reply.json()], [200, hook]);
  (await ServedSchemas.of(service)).assertValid("HookDto", reply.json());
  assert.equal(await deliveryById(control, accountId, "msg_1"), null);
  assertProblem(await remove(), "not_found");
});
