import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Provider } from "@sightline/contract";
import {
  type CheckedAsk,
  checkCost,
  checkedAsks,
  checkFree,
  checkPaid,
  type FreeCheck,
  type PaidCheck,
} from "@sightline/server/check-vendor";
import { readConfig } from "@sightline/server/config";
import { Command } from "commander";
import { withExamples } from "../examples.ts";
import { plainTable } from "../output/plain-table.ts";
import { safeText } from "../output/safe-text.ts";
import { CommandError, printResult } from "../result.ts";
import { accountOf, withStorage } from "../storage.ts";
import { credentialsHere, type PlaceOptions } from "./collections-place.ts";

interface CheckOptions extends PlaceOptions {
  readonly provider?: readonly Provider[];
  readonly yes?: boolean;
  readonly samplesDir?: string;
}

/** A vendor as it was checked. */
interface Checked {
  readonly vendor: string;
  readonly provider: Provider;
  readonly surface: string;
  /** Null: the vendor has no free list of models. */
  readonly free: FreeCheck | null;
  /** Null: nothing was asked. */
  readonly paid: Omit<PaidCheck, "sample"> | null;
  /** The file of the replies; null: there is none. */
  readonly sample: string | null;
}

/** `sightline collect check`: whether vendors answer as their replies are read. */
export function checkCommand(): Command {
  const command = new Command("check")
    .description("check keys, models and replies of the vendors")
    .option("--yes", "ask each vendor one paid question too")
    .option("--samples-dir <folder>", "folder of the redacted replies (default: .)")
    .option("--json", "print one JSON document")
    .action(check);
  return withExamples(
    command,
    ["sightline collect check", "keys and models, free, and what a paid check costs"],
    [
      "sightline collect check --provider OPENAI --yes",
      "one paid question, and its reply in a file",
    ],
  );
}

async function check(_own: object, command: Command): Promise<void> {
  // TRICKY: an option that `collect` has too is taken for its own, wherever it stands.
  const options = command.optsWithGlobals<CheckOptions>();
  const { prices: pricesFile, vendorStandIn } = options;
  // Without an account it needs no data.
  const config =
    options.account === undefined
      ? readConfig({ pricesFile, vendorStandIn }, process.env).collection
      : await withStorage(options, async (storage) =>
          credentialsHere(storage, options).configOf(await accountOf(storage, options.account)),
        );
  const asks = checkedAsks(config.credentials, options.provider);
  if (asks.length === 0) {
    throw new CommandError("No credential of such a vendor is set. Set SIGHTLINE_OPENAI_KEY.", 2);
  }
  const json = options.json === true;
  const isPaid = options.yes === true;
  const cost = costText(asks.map((ask) => checkCost(config, ask, Date.now())));
  if (isPaid && !json) process.stderr.write(`${cost}\n`);
  const folder = options.samplesDir ?? ".";
  const checked: Checked[] = [];
  for (const ask of asks) {
    const { adapter, provider, surface } = ask;
    const free = await checkFree(config, adapter);
    const paid = isPaid ? await checkPaid(config, ask) : null;
    const sample = paid === null ? null : kept(folder, ask, paid);
    const { sample: _sample, ...shown } = paid ?? { sample: null };
    checked.push({
      vendor: adapter.vendor,
      provider,
      surface,
      free,
      sample,
      paid: paid === null ? null : (shown as Checked["paid"]),
    });
  }
  const below = isPaid ? [] : [`${cost} To ask, add --yes.`];
  printResult(json, { checked }, [checkText(checked), ...below].join("\n\n"));
  if (checked.some(({ free, paid }) => free?.fault != null || paid?.fault != null)) {
    process.exitCode = 1;
  }
}

function costText(costs: readonly ReturnType<typeof checkCost>[]): string {
  const sum = (of: (cost: (typeof costs)[number]) => number) =>
    (costs.reduce((total, cost) => total + of(cost), 0) / 1_000_000).toFixed(2);
  const questions = costs.length === 1 ? "One paid question" : `${costs.length} paid questions`;
  const [about, most] = [sum(({ expected }) => expected), sum((cost) => cost.most)];
  return `${questions}: about $${about}, at most $${most}.`;
}

/** Writes the replies without what names an account. */
function kept(folder: string, { adapter, provider }: CheckedAsk, { sample }: PaidCheck): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `sightline-check-${adapter.vendor}-${provider.toLowerCase()}.json`);
  writeFileSync(file, `${JSON.stringify(sample, null, 2)}\n`);
  return file;
}

function checkText(checked: readonly Checked[]): string {
  const headings = [
    ...["vendor", "provider", "key", "model", "listed", "search", "status"],
    ...["model replied", "cited", "cost told", "computed", "region"],
  ];
  const rows = checked.map(({ vendor, provider, free, paid }) => [
    ...[vendor, provider, said(free?.isKeyValid), free?.model ?? null],
    ...[said(free?.isListed), said(free?.canSearch), paid?.status ?? free?.status ?? null],
    ...[paid?.model ?? null, paid?.cited ?? null, money(paid?.costTold)],
    ...[money(paid?.costComputed), paid?.region ?? null],
  ]);
  const notes = checked.flatMap(({ vendor, free, paid, sample }) => [
    ...(free?.fault == null ? [] : [`${vendor}: ${free.fault}`]),
    ...(paid?.fault == null ? [] : [`${vendor}: ${paid.fault}`]),
    ...(paid === null || paid.missing.length === 0
      ? []
      : [`${vendor}: missing keys: ${paid.missing.join(", ")}`]),
    ...(paid === null || paid.added.length === 0
      ? []
      : [`${vendor}: new keys: ${paid.added.join(", ")}`]),
    ...(sample === null ? [] : [`${vendor}: the replies are in ${sample}`]),
  ]);
  const below = notes.length === 0 ? [] : ["", ...notes.map((note) => safeText(note))];
  return [plainTable(headings, rows), ...below].join("\n");
}

function said(value: boolean | null | undefined): string | null {
  if (value == null) return null;
  return value ? "yes" : "no";
}

function money(dollars: number | null | undefined): string | null {
  return dollars == null ? null : dollars.toFixed(4);
}
