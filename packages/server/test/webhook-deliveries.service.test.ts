import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { createServer } from "node:http";
import { test } from "node:test";
import type { CreatedHookResponse } from "@sightline/contract";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import type { AfterHook } from "@sightline/test-kit/sample-account.ts";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { listening } from "@sightline/test-kit/webhook-receiver.ts";
import { addDelivery, deliveriesOf } from "../src/hooks/delivery-store.ts";
import { addHook } from "../src/hooks/hook-store.ts";
import { theService } from "../src/platform/actor.ts";
import { openSqlite } from "../src/platform/sqlite.ts";

/** A receiver that replies when the test says so, except to `/quick`. */
async function startSlowReceiver(t: AfterHook) {
  const paths: string[] = [];
  const ids: (string | string[] | undefined)[] = [];
  const pending: (() => void)[] = [];
  const waiting: (() => void)[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? "");
    ids.push(request.headers["webhook-id"]);
    const reply = () => void response.writeHead(200).end();
    if (request.url === "/quick") reply();
    else pending.push(reply);
    for (const look of waiting) look();
  });
  const { port } = await listening(server);
  t.after(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  /** Resolves when so many requests have come. */
  const came = (count: number) =>
    new Promise<void>((resolve) => {
      const look = () => (paths.length >= count ? resolve() : undefined);
      waiting.push(look);
      look();
    });
  return { url: `http://127.0.0.1:${port}`, paths, ids, pending, came };
}

const settings = { hooksToPrivate: "on" } as const;

/** An account with a webhook, and its first events, which are due. */
async function accountWithEvents(
  service: TestService,
  name: string,
  { url, events }: { readonly url: string; readonly events: number },
) {
  const accountId = await service.apply({ account: name, brand: "Acme" });
  const token = await service.session(accountId, ["manage"]);
  const created = await service.post("/v1/hooks", { token, body: { url } });
  const { id: hookId } = created.json<CreatedHookResponse>();
  const { control, clock } = service.services;
  for (let each = 0; each < events; each += 1) {
    const times = { createdAt: clock.now(), nextAt: clock.now() };
    const id = `msg_${name}_${each}`;
    const event = { id, hookId, event: "digest", body: "{}", ...times } as const;
    await addDelivery(control, accountId, event);
  }
  return { accountId, hookId };
}

test("receivers that reply late take two places of an account, and no more", async (t) => {
  const service = await TestService.start({ settings });
  t.after(() => service.close());
  const receiver = await startSlowReceiver(t);
  const slow = { url: `${receiver.url}/slow`, events: 5 };
  for (const name of ["One", "Two", "Three"]) await accountWithEvents(service, name, slow);
  const quick = { url: `${receiver.url}/quick`, events: 5 };
  await accountWithEvents(service, "Quick", quick); // due last
  const { webhooks } = service.services;
  const delivered = webhooks.deliver();
  await receiver.came(6 + 5);
  const places = (path: string) => receiver.paths.filter((each) => each === path).length;
  assert.deepEqual([places("/slow"), places("/quick")], [6, 5]);
  let ended = false;
  const watched = delivered.finally(() => {
    ended = true;
  });
  while (!ended) {
    for (const reply of receiver.pending.splice(0)) reply();
    await new Promise((turn) => setImmediate(turn));
  }
  await watched;
  assert.deepEqual([places("/slow"), places("/quick")], [15, 5]);
  assert.equal(new Set(receiver.ids).size, 20, "each once");
});

test("a delivery under way when the service stops is made again, as the same", async (t) => {
  const dataDir = temporaryFolder();
  t.after(() => rmSync(dataDir, { recursive: true }));
  const clock = new HeldClock();
  const receiver = await startSlowReceiver(t);
  const first = await TestService.start({ settings, dataDir, clock });
  const { accountId, hookId } = await accountWithEvents(first, "One", {
    url: `${receiver.url}/slow`,
    events: 1,
  });
  await first.services.webhooks.start();
  await receiver.came(1);
  await first.close();

  const second = await TestService.start({ settings, dataDir, clock });
  t.after(() => second.close());
  const { control, webhooks } = second.services;
  await webhooks.start();
  clock.advance(59_999);
  await webhooks.start();
  assert.equal(receiver.paths.length, 1, "the first attempt could still be under way");
  clock.advance(1);
  const delivered = webhooks.deliver();
  await receiver.came(2);
  for (const reply of receiver.pending) reply();
  await delivered;
  assert.deepEqual(receiver.ids, ["msg_One_0", "msg_One_0"]);
  const [delivery] = await deliveriesOf(control, accountId, hookId, clock.now());
  assert.deepEqual([delivery?.state, delivery?.attempts.length], ["delivered", 1]);
});

test("a test is sent once, also when another process writes control meanwhile", async (t) => {
  const service = await TestService.start({ settings });
  t.after(() => service.close());
  const { control, clock, config, folder } = service.services;
  if (config.postgresUrl !== null) return; // which nobody locks as a whole
  const other = openSqlite(folder.control);
  t.after(() => other.close());
  const ids: unknown[] = [];
  const server = createServer(({ headers, socket }, response) => {
    ids.push(headers["webhook-id"]);
    if (ids.length === 1) {
      other.exec("begin immediate");
      // The service hangs up, and tries to note what became of it before this is known here.
      socket.once("close", () => other.exec("rollback"));
    }
    response.writeHead(200).write("and never ends");
  });
  const { port } = await listening(server);
  t.after(() => new Promise((closed) => server.close(closed)));
  const url = `http://127.0.0.1:${port}`;
  const { accountId, hookId } = await accountWithEvents(service, "One", { url, events: 0 });
  const token = await service.session(accountId, ["manage"]);
  const tested = await service.post(`/v1/hooks/${hookId}/test`, { token });
  assert.equal(tested.json<{ state: string }>().state, "delivered");
  const noted = await deliveriesOf(control, accountId, hookId, clock.now());
  assert.deepEqual(
    noted.map(({ id, state, attempts }) => ({ id, state, attempts: attempts.length })),
    [{ id: ids[0], state: "delivered", attempts: 1 }],
  );
  assert.equal(ids.length, 1);
});

test("under another pepper, a webhook's secret cannot be read, and its log says so", async (t) => {
  const service = await TestService.start({ settings });
  t.after(() => service.close());
  const receiver = await startSlowReceiver(t);
  const quick = { url: `${receiver.url}/quick`, events: 0 };
  const { accountId } = await accountWithEvents(service, "One", quick);
  const { control, webhooks, clock } = service.services;
  const times = { createdAt: clock.now(), nextCheckAt: clock.now() + 1 };
  const plain = { form: "json", thresholds: [], name: "" } as const;
  const sealed = { secret: Buffer.alloc(60), url: quick.url, ...plain, ...times };
  const foreign = await addHook(control, accountId, {
    ...sealed,
    id: "3f2a9c1e-5b7d-4e8a-9c0f-1d2e3f4a5b6c",
    events: ["moved"],
  });
  assert.ok(foreign !== null);
  const { attempts } = await webhooks.test(foreign, theService);
  assert.match(attempts[0]?.error ?? "", /^the secret cannot be decrypted: delete the webhook/);
  assert.deepEqual(receiver.paths, []);
});
