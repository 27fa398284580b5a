import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { verifyWebhook } from "@sightline/client";
import type { CreatedHookResponse, ListedDelivery } from "@sightline/contract";
import { printedDocument } from "@sightline/test-kit/command.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { startReceiver } from "@sightline/test-kit/webhook-receiver.ts";
import { runHosted } from "./command-host.ts";

test("hooks: create, list, test, deliveries, delete; the secret is shown once", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const { url, received, statuses } = await startReceiver(t);
  const run = (command: string) => runHosted(command.split(" "), { folder });
  const json = async (command: string) => {
    const finished = await run(`${command} --json`);
    return [finished.status, printedDocument(finished)] as const;
  };
  writeFileSync(join(folder, "workspace.json"), JSON.stringify({ account: "A", brand: "A" }));
  assert.equal((await run("apply workspace.json")).status, 0);
  const [refused, fault] = await json(`hooks create ${url}`);
  assert.deepEqual(
    [refused, fault],
    [2, { error: { message: `The address must be an absolute https:// URL, got ${url}.` } }],
  );
  const toPrivate = "--hooks-to-private on";
  const create = `hooks create ${url} --events moved --name team ${toPrivate}`;
  const { secret, ...hook } = (await json(create))[1] as CreatedHookResponse;
  assert.deepEqual(hook, { ...hook, url, events: ["moved"], name: "team", disabledAt: null });
  assert.deepEqual(await json("hooks list"), [0, { hooks: [hook] }]);

  const [status, tested] = await json(`hooks test ${hook.id} ${toPrivate}`);
  const { id, state, attempts } = tested as ListedDelivery;
  assert.deepEqual([status, state, attempts.length], [0, "delivered", 1]);
  const [request] = received;
  const event = await verifyWebhook(request?.body ?? "", request?.headers ?? {}, secret);
  assert.deepEqual([event.type, event.id], ["test", id]);
  statuses.push(500);
  const failed = await run(`hooks test ${hook.id} ${toPrivate}`);
  assert.deepEqual(
    [failed.status, failed.stderr],
    [1, "sightline: The test failed: the receiver replied with 500.\n"],
  );
  const { stdout } = await run(`hooks deliveries ${hook.id}`);
  const [heading, ...lines] = stdout.trim().split("\n");
  assert.match(heading ?? "", /^delivery +event +created +state +attempts +status +error +next$/);
  assert.match(lines[0] ?? "", /^msg_\w+ +test +\S+ +failed +1 +500 +the receiver replied /);
  assert.match(lines[1] ?? "", new RegExp(`^${id} +test +\\S+ +delivered +1 +204 +- +-$`));

  assert.deepEqual(await json(`hooks delete ${hook.id}`), [0, hook]);
  const [gone, unknown] = await json(`hooks delete ${hook.id}`);
  const message = `No webhook has the id ${hook.id}. See: sightline hooks list`;
  assert.deepEqual([gone, unknown], [1, { error: { message } }]);
});
