import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { verifyWebhook } from "@sightline/client";
import type { CreatedHookResponse, ListedDelivery } from "@sightline/contract";
import { printedDocument } from "@sightline/test-kit/command.ts";
import { startMailServer } from "@sightline/test-kit/mail-server.ts";
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
  const createdBy = userInfo().username;
  const shown = { url, events: ["moved"], name: "team", createdBy, disabledAt: null };
  assert.deepEqual(hook, { ...hook, ...shown });
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

test("hooks: mails and thresholds; the doctor says whether mails are taken", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const mails = await startMailServer(t);
  const smtp = {
    SIGHTLINE_SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
    SIGHTLINE_MAIL_FROM: "Sightline <reports@example.com>",
  };
  const run = (command: string, environment: Readonly<Record<string, string>> = smtp) =>
    runHosted(command.split(" "), { folder, environment });
  writeFileSync(join(folder, "workspace.json"), JSON.stringify({ account: "A", brand: "A" }));
  assert.equal((await run("apply workspace.json")).status, 0);
  const create = "hooks create mailto:team@example.com --events threshold-crossed";
  const created = await run(`${create} --below mentions=0.3 --above rank=2 --days 14 --json`);
  const hook = printedDocument(created) as CreatedHookResponse;
  assert.deepEqual(
    [hook.form, hook.thresholds],
    [
      "mail",
      [
        { metric: "mentions", below: 0.3, days: 14 },
        { metric: "rank", above: 2, days: 14 },
      ],
    ],
  );
  const { stdout } = await run("hooks list");
  assert.match(stdout, /mail +threshold-crossed +mentions<0\.3\/14d,rank>2\/14d/);
  assert.equal((await run(`hooks test ${hook.id}`)).status, 0);
  assert.deepEqual(
    mails.received.map(({ to }) => to),
    [["team@example.com"]],
  );
  const unset = await run(`hooks test ${hook.id}`, {});
  assert.deepEqual(
    [unset.status, unset.stderr],
    [1, "sightline: The test failed: the service sends no mails: SIGHTLINE_SMTP_URL is not set.\n"],
  );
  const faults = [
    [`${create} --below mentions`, /--below must be a metric \(mentions, .*; got mentions\./],
    [`${create} --below mentions=30`, /from 0 to 1 but for rank; got mentions=30\./],
    [
      `${create.replace("threshold-crossed", "moved")} --below rank=2`,
      /--below and --above must be/,
    ],
    [`${create} --form slack`, /--form must be mail for a mailto address, got "slack"\./],
    ["hooks create mailto:team", /The address must be mailto: and comma-separated addresses/],
  ] as const;
  for (const [command, fault] of faults) {
    const refused = await run(command);
    assert.equal(refused.status, 2);
    assert.match(refused.stderr, fault);
  }
  const taken = await run("doctor");
  const server = `smtp://127.0.0.1:${mails.port}`;
  assert.equal(taken.stdout.split("\n")[0], `${server}: takes mails`);
  const down = { ...smtp, SIGHTLINE_SMTP_URL: "smtp://user:secret@127.0.0.1:9" };
  const refused = await run("doctor --json", down);
  const { ok, mail } = printedDocument(refused) as Record<string, unknown>;
  assert.deepEqual(
    [refused.status, ok, mail],
    [1, false, { server: "smtp://***@127.0.0.1:9", fault: "the SMTP server cannot be reached" }],
  );
});
