import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import type { CreatedHookResponse, ListedDelivery } from "@sightline/contract";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { listening } from "@sightline/test-kit/webhook-receiver.ts";
import { deliveriesOf } from "../../delivery-store.ts";

test("an account with two deliveries under way waits; another one does not", async (t) => {
  const service = await TestService.start({ settings: { hooksToPrivate: "on" } });
  t.after(() => service.close());
  const { control, clock } = service.services;
  const waiting: (() => void)[] = [];
  const both = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    const reply = () => void response.writeHead(200).end();
    if (request.url === "/quick") reply();
    else if (waiting.push(reply) === 2) both.resolve();
  });
  const { port } = await listening(server);
  t.after(() => new Promise((closed) => server.close(closed)));
  const hookOf = async (name: string, path: string) => {
    const accountId = await service.apply({ account: name, brand: "Acme" });
    const token = await service.session(accountId, ["manage"]);
    const body = { url: `http://127.0.0.1:${port}${path}` };
    const { id } = (await service.post("/v1/hooks", { token, body })).json<CreatedHookResponse>();
    const sent = () => deliveriesOf(control, accountId, id, clock.now());
    return { test: () => service.post(`/v1/hooks/${id}/test`, { token }), sent };
  };
  const [slow, quick] = [await hookOf("Slow", "/slow"), await hookOf("Quick", "/quick")];
  const pending = [slow.test(), slow.test()];
  await both.promise;
  const refused = await slow.test();
  assertProblem(refused, "overloaded");
  assert.equal(refused.headers["retry-after"], "1");
  assert.equal((await quick.test()).json<ListedDelivery>().state, "delivered");
  for (const reply of waiting) reply();
  for (const reply of await Promise.all(pending)) {
    assert.equal(reply.json<ListedDelivery>().state, "delivered");
  }
  assert.equal((await slow.sent()).length, 2);
});
