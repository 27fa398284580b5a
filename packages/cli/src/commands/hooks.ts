import { hookEvents, hooksMax, type ListedDelivery, type ListedHook } from "@sightline/contract";
import { Deliverer } from "@sightline/server/deliverer";
import { deliveriesOf } from "@sightline/server/delivery-store";
import { deleteHook, hookById, hooksOf } from "@sightline/server/hook-store";
import { hookUrlFault } from "@sightline/server/hook-url";
import { listedDelivery } from "@sightline/server/listed-delivery";
import { listedHook } from "@sightline/server/listed-hook";
import { createHook, sendTest } from "@sightline/server/manage-hooks";
import { eventSender } from "@sightline/server/send-event";
import type { Storage } from "@sightline/server/storage";
import { Command } from "commander";
import { withExamples } from "../examples.ts";
import { namesOf } from "../option-values.ts";
import { plainTable } from "../output/plain-table.ts";
import { CommandError, printResult } from "../result.ts";
import { accountOf, type DataOptions, placeOf, requireExisting, withStorage } from "../storage.ts";

interface HooksOptions extends DataOptions {
  readonly account?: string;
  readonly events?: string;
  readonly name?: string;
}

/** `sightline hooks list | create | delete | test | deliveries`: where events are sent. */
export function hooksCommand(): Command {
  const hooks = new Command("hooks");
  const dataOptions = (command: Command) =>
    command
      .option("--account <id>", "the account; may be left out when there is only one")
      .option("--data-dir <dir>", "folder of all data (default: SIGHTLINE_DATA_DIR, else ./data)")
      .option("--json", "print one JSON document");
  const sendOptions = (command: Command) =>
    dataOptions(command).option(
      "--hooks-to-private <on|off>",
      "private addresses and http too (default: off)",
    );
  const list = dataOptions(hooks.command("list"))
    .description("list webhooks, oldest first; never their secrets")
    .action(listHooks);
  const create = sendOptions(hooks.command("create"))
    .description("create a webhook; its secret is shown only once")
    .argument("<url>", "where events are sent: an https address")
    .option("--events <events>", `comma-separated: ${hookEvents.join(", ")}`, hookEvents.join(","))
    .option("--name <name>", "what the webhook is for", "")
    .action(createOne);
  const remove = dataOptions(hooks.command("delete"))
    .description("delete a webhook and the log of its deliveries")
    .argument("<hookId>", "the webhook's id, as list shows it")
    .action(deleteOne);
  const tested = sendOptions(hooks.command("test"))
    .description("send a test, once; one that succeeds enables a disabled webhook")
    .argument("<hookId>", "the webhook's id, as list shows it")
    .action(testOne);
  const deliveries = dataOptions(hooks.command("deliveries"))
    .description("list deliveries, newest first")
    .argument("<hookId>", "the webhook's id, as list shows it")
    .action(listDeliveries);
  const id = "3f2a9c1e-5b7d-4e8a-9c0f-1d2e3f4a5b6c";
  withExamples(list, ["sightline hooks list --json", "every webhook as one document"]);
  withExamples(create, [
    "sightline hooks create https://hooks.example.com/sightline --events digest",
    "prints the secret once",
  ]);
  withExamples(remove, [`sightline hooks delete ${id}`, "it receives no more events"]);
  withExamples(tested, [`sightline hooks test ${id}`, "says how it went"]);
  withExamples(deliveries, [`sightline hooks deliveries ${id}`, "statuses and faults"]);
  return withExamples(hooks, ["sightline hooks list", "ids, addresses and events"]);
}

async function listHooks(options: HooksOptions): Promise<void> {
  requireExisting(options);
  const hooks = await withStorage(options, async (storage) =>
    hooksOf(storage.control, await accountOf(storage, options.account)),
  );
  const rows = hooks.map(listedHook);
  printResult(options.json === true, { hooks: rows }, hooksText(rows));
}

async function createOne(url: string, options: HooksOptions): Promise<void> {
  requireExisting(options);
  const fault = hookUrlFault(url, placeOf(options).hooksToPrivate);
  if (fault !== null) throw new CommandError(`The address ${fault}, got ${url}.`, 2);
  const events = namesOf(options.events ?? "", hookEvents, ["--events", "event"]);
  const { hook, secret } = await withStorage(options, async (storage) => {
    const accountId = await accountOf(storage, options.account);
    if ((await hooksOf(storage.control, accountId)).length >= hooksMax) {
      throw new CommandError(`The account has ${hooksMax} webhooks. Delete one first.`);
    }
    return createHook(storage, accountId, { url, events, name: options.name });
  });
  const document = { ...listedHook(hook), secret };
  const text = [
    `${secret}\n`,
    `Webhook ${hook.id} sends ${hook.events.join(", ")} to ${hook.url}.`,
    "The secret verifies its signatures. It cannot be shown again.",
  ].join("\n");
  printResult(options.json === true, document, text);
}

async function deleteOne(hookId: string, options: HooksOptions): Promise<void> {
  requireExisting(options);
  const hook = await withStorage(options, async (storage) => {
    const accountId = await accountOf(storage, options.account);
    return deleteHook(storage.control, accountId, hookId.toLowerCase(), storage.clock.now());
  });
  if (hook === null) throw unknown(hookId);
  const row: ListedHook = listedHook(hook);
  printResult(options.json === true, row, `Webhook ${row.id} was deleted.`);
}

async function testOne(hookId: string, options: HooksOptions): Promise<void> {
  requireExisting(options);
  const send = eventSender({ toPrivate: placeOf(options).hooksToPrivate });
  const { signal } = new AbortController();
  const delivery = await withStorage(options, async (storage) => {
    const hook = await hookOf(storage, options, hookId);
    const deliverer = new Deliverer({ ...storage, send });
    return sendTest(storage, hook, (noted) => deliverer.attempt(noted, signal));
  });
  const row = listedDelivery(delivery);
  const { status = null, error = null } = row.attempts[0] ?? {};
  if (row.state !== "delivered") {
    throw new CommandError(`The test failed: ${error ?? "the webhook was deleted"}.`, 1, row);
  }
  printResult(options.json === true, row, `The receiver replied with ${status}.`);
}

async function listDeliveries(hookId: string, options: HooksOptions): Promise<void> {
  requireExisting(options);
  const deliveries = await withStorage(options, async (storage) => {
    const { accountId, id } = await hookOf(storage, options, hookId);
    return deliveriesOf(storage.control, accountId, id, storage.clock.now());
  });
  const rows = deliveries.map(listedDelivery);
  printResult(options.json === true, { deliveries: rows }, deliveriesText(rows));
}

async function hookOf(storage: Storage, { account }: HooksOptions, hookId: string) {
  const accountId = await accountOf(storage, account);
  const hook = await hookById(storage.control, accountId, hookId.toLowerCase());
  if (hook === null) throw unknown(hookId);
  return hook;
}

function unknown(hookId: string): CommandError {
  return new CommandError(`No webhook has the id ${hookId}. See: sightline hooks list`);
}

/** Webhooks as a table. */
function hooksText(hooks: readonly ListedHook[]): string {
  if (hooks.length === 0) return "There are no webhooks.";
  return plainTable(
    ["webhook", "address", "events", "name", "created", "disabled"],
    hooks.map(({ id, url, events, name, createdAt, disabledAt }) => [
      ...[id, url, events.join(","), name, createdAt, disabledAt],
    ]),
  );
}

/** Deliveries as a table, each with its last attempt. */
function deliveriesText(deliveries: readonly ListedDelivery[]): string {
  if (deliveries.length === 0) return "There are no deliveries.";
  return plainTable(
    ["delivery", "event", "created", "state", "attempts", "status", "error", "next"],
    deliveries.map(({ id, event, createdAt, state, attempts, nextAttemptAt }) => {
      const { status = null, error = null } = attempts.at(-1) ?? {};
      return [...[id, event, createdAt, state, attempts.length, status, error, nextAttemptAt]];
    }),
  );
}
