import {
  type HookForm,
  type HookThreshold,
  hookEvents,
  hookForms,
  hooksMax,
  hookThresholdSchema,
  type ListedDelivery,
  type ListedHook,
  summaryMetricNames,
  thresholdDaysMax,
  thresholdDaysMin,
  thresholdDaysUnlessSaid,
  thresholdsMax,
} from "@sightline/contract";
import { Deliverer } from "@sightline/server/deliverer";
import { deliveriesOf } from "@sightline/server/delivery-store";
import { deleteHook, hookById, hooksOf } from "@sightline/server/hook-store";
import { wantedHookFault } from "@sightline/server/hook-url";
import { listedDelivery } from "@sightline/server/listed-delivery";
import { listedHook } from "@sightline/server/listed-hook";
import { createLogger } from "@sightline/server/logger";
import { Mailer } from "@sightline/server/mailer";
import { createHook, sendTest } from "@sightline/server/manage-hooks";
import { eventSender } from "@sightline/server/send-event";
import type { Storage } from "@sightline/server/storage";
import { Command } from "commander";
import { withExamples } from "../examples.ts";
import { choiceOption, integerOption, namesOf } from "../option-values.ts";
import { plainTable } from "../output/plain-table.ts";
import { CommandError, printResult } from "../result.ts";
import { accountOf, type DataOptions, placeOf, requireExisting, withStorage } from "../storage.ts";

interface HooksOptions extends DataOptions {
  readonly account?: string;
  readonly form?: HookForm;
  readonly events?: string;
  readonly below?: readonly string[];
  readonly above?: readonly string[];
  readonly days?: number;
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
    .argument("<url>", "where events are sent: an https address, or mailto: and addresses")
    .addOption(choiceOption("--form <form>", formText, hookForms))
    .option("--events <events>", `comma-separated: ${hookEvents.join(", ")}`, hookEvents.join(","))
    .option("--below <metric=value>", belowText, collected)
    .option("--above <metric=value>", "the same, when it is more", collected)
    .addOption(integerOption("--days <days>", daysText, [thresholdDaysMin, thresholdDaysMax]))
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
  withExamples(
    create,
    [
      "sightline hooks create https://hooks.example.com/sightline --events digest",
      "prints the secret once",
    ],
    [
      "sightline hooks create mailto:team@example.com --below mentions=0.3",
      "a mail when the brand is mentioned in less than 30 % of the answers",
    ],
  );
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
  const events = namesOf(options.events ?? "", hookEvents, ["--events", "event"]);
  const wanted = { url, form: options.form, events, thresholds: thresholdsOf(options) };
  const fault = wantedHookFault(wanted, placeOf(options).hooksToPrivate);
  if (fault?.path === "/url") throw new CommandError(`The address ${plain(fault)}, got ${url}.`, 2);
  if (fault !== null) throw new CommandError(`${optionOf(fault.path)} ${fault.message}`, 2);
  const created = await withStorage(options, async (storage) => {
    const accountId = await accountOf(storage, options.account);
    return createHook(storage, accountId, { ...wanted, name: options.name });
  });
  if (created === null) {
    throw new CommandError(`The account has ${hooksMax} webhooks. Delete one first.`);
  }
  const { hook, secret } = created;
  const document = { ...listedHook(hook), secret };
  const text = [
    `${secret}\n`,
    `Webhook ${hook.id} sends ${hook.events.join(", ")} to ${hook.url}.`,
    "The secret verifies its signatures. It cannot be shown again.",
  ].join("\n");
  const mailText = `Webhook ${hook.id} mails ${hook.events.join(", ")} to ${hook.url}.`;
  printResult(options.json === true, document, hook.form === "mail" ? mailText : text);
}

const formText = "what is sent (default: mail for mailto:, else json)";
const belowText =
  `tell when this value of the brand is less, such as mentions=0.3; repeatable, ` +
  `of ${summaryMetricNames.join(", ")}`;
const daysText = `the days that these values are of (default: ${thresholdDaysUnlessSaid})`;

function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** The thresholds of `--below` and `--above`. @throws CommandError when one is none. */
function thresholdsOf({ below = [], above = [], days }: HooksOptions): readonly HookThreshold[] {
  const given = [
    ...below.map((text) => ["below", text] as const),
    ...above.map((text) => ["above", text] as const),
  ];
  if (given.length > thresholdsMax) {
    const message = `--below and --above may be given ${thresholdsMax} times, got ${given.length}.`;
    throw new CommandError(message, 2);
  }
  return given.map(([side, text]) => {
    const [, metric, limit] = /^(\w+)=(\d+(?:\.\d+)?)$/.exec(text) ?? [];
    const parsed = hookThresholdSchema.safeParse({ metric, [side]: Number(limit), days });
    if (parsed.success) return parsed.data;
    const names = summaryMetricNames.join(", ");
    const number = "a number, from 0 to 1 but for rank";
    throw new CommandError(
      `--${side} must be a metric (${names}), = and ${number}; got ${text}.`,
      2,
    );
  });
}

function plain({ message }: { readonly message: string }): string {
  return message.replace(/\.$/, "");
}

function optionOf(path: string): string {
  return path === "/thresholds" ? "--below and --above" : `--${path.slice(1)}`;
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
  const place = placeOf(options);
  const { hooksToPrivate, publicUrl } = place;
  const send = eventSender({ toPrivate: hooksToPrivate });
  const { signal } = new AbortController();
  const delivery = await withStorage(options, async (storage) => {
    const hook = await hookOf(storage, options, hookId);
    const mailer = Mailer.of(place, storage);
    const logger = createLogger("warn", "prose");
    const deliverer = new Deliverer({ ...storage, logger, send, mailer, publicUrl });
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
    ["webhook", "address", "form", "events", "thresholds", "name", "created", "by", "disabled"],
    hooks.map(({ id, url, form, events, thresholds, name, createdAt, createdBy, disabledAt }) => [
      ...[id, url, form, events.join(","), thresholds.map(thresholdText).join(",")],
      ...[name, createdAt, createdBy, disabledAt],
    ]),
  );
}

/** A threshold in short: mentions<0.3/28d. */
function thresholdText({ metric, below, above, days }: ListedHook["thresholds"][number]): string {
  return `${metric}${below === undefined ? `>${above}` : `<${below}`}/${days}d`;
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
