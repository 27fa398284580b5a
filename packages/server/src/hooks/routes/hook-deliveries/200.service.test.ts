import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { CreatedHookResponse } from "@sightline/contract";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { startReceiver } from "@sightline/test-kit/webhook-receiver.ts";

const service = await TestService.start({ settings: { hooksToPrivate: "on" } });
after(() => service.close());
const accountId = await service.apply({ account: "Hooks", brand: "Acme" });
const token = await service.session(accountId, ["manage"]);

test("the log has tests, the latest first, with the status or the fault of each", async (t) => {
  const { url, statuses, received } = await startReceiver(t);
  const created = await service.post("/v1/hooks", { token, body: { url } });
  const { id } = created.json<CreatedHookResponse>();
  const expected = [];
  for (const status of [200, 201, 400, 401, 403, null]) {
    service.clock.advance(1_000);
    statuses.push(status);
    const tested = await service.post(`/v1/hooks/${id}/test`, { token });
    const at = new Date(service.clock.now()).toISOString();
    const isTaken = status === 200 || status === 201;
    const reason =
      status === null ? "the connection was closed" : `the receiver replied with ${status}`;
    expected.unshift({
      id: received.at(-1)?.headers["webhook-id"],
      event: "test",
      createdAt: at,
      nextAttemptAt: null,
      state: isTaken ? "delivered" : "failed",
      attempts: [{ at, status, durationMs: 0, error: isTaken ? null : reason }],
    });
    assert.deepEqual([tested.status, tested.json()], [200, expected[0]]);
  }
  const headers = { authorization: `Bearer ${token}` };
  const reply = await service.request("GET", `/v1/hooks/${id}/deliveries`, { headers });
  assert.equal(reply.headers["cache-control"], "no-store");
  (await ServedSchemas.of(service)).assertValid("DeliveriesResponseDto", reply.json());
  assert.deepEqual(reply.json(), { deliveries: expected });
});
