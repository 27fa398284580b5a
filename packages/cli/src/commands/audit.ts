import { type AuditAction, auditActions } from "@sightline/contract";
import {
  type AuditEntry,
  type AuditSelection,
  auditOf,
  serviceLog,
  verifyAudit,
} from "@sightline/server/audit-log";
import { listedEntry } from "@sightline/server/audit-routes";
import type { Storage } from "@sightline/server/storage";
import { Command } from "commander";
import { processIo } from "../command-io.ts";
import { withExamples } from "../examples.ts";
import { writtenLines } from "../export-answers.ts";
import { choiceOption, integerOption } from "../option-values.ts";
import { counted } from "../output/counted.ts";
import { plainTable } from "../output/plain-table.ts";
import { instantOfOption, timeForms } from "../questions/time-word.ts";
import { CommandError, printResult } from "../result.ts";
import { accountOf, type DataOptions, requireExisting, withStorage } from "../storage.ts";

interface AuditOptions extends DataOptions {
  readonly account?: string;
  readonly service?: boolean;
}

interface ListOptions extends AuditOptions {
  readonly action?: AuditAction;
  readonly actor?: string;
  readonly subject?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit: number;
}

/** The most entries that a list has; an export has all. */
const listedMax = 1_000;
const pageEntries = 1_000;

/** `sightline audit list | export | verify`: who changed what. */
export function auditCommand(): Command {
  const audit = new Command("audit");
  const ofLog = (command: Command) =>
    command
      .option("--account <id>", "the account; may be left out when there is only one")
      .option("--service", "the service's own log instead: accounts that were created and deleted")
      .option("--data-dir <dir>", "folder of all data (default: SIGHTLINE_DATA_DIR, else ./data)")
      .option("--json", "print one JSON document");
  const list = ofLog(audit.command("list"))
    .description("list changes with who made them, newest first")
    .addOption(choiceOption("--action <action>", "only entries of this action", auditActions))
    .option("--actor <keyId>", "only changes by this key")
    .option("--subject <id>", "only changes of what has this id")
    .option("--from <time>", `only entries from then on: ${timeForms}`)
    .option("--to <time>", "only entries before then")
    .addOption(integerOption("--limit <number>", "how many", [1, listedMax]).default(50))
    .action(listEntries);
  const exported = ofLog(audit.command("export"))
    .description("write all entries as NDJSON, oldest first")
    .argument("[file]", "the file, which must not exist yet; standard output when left out")
    .action(exportEntries);
  const verify = ofLog(audit.command("verify"))
    .description("check that each entry follows from the one before it, and print the last hash")
    .action(verifyEntries);
  withExamples(list, ["sightline audit list --action key.created", "who made keys"]);
  withExamples(exported, ["sightline audit export audit.ndjson", "the whole log"]);
  withExamples(verify, ["sightline audit verify", "status 1 when an entry was changed"]);
  return withExamples(audit, ["sightline audit list --from 7d", "what changed this week"]);
}

async function logOf(storage: Storage, { account, service }: AuditOptions): Promise<string> {
  if (service !== true) return accountOf(storage, account);
  if (account === undefined) return serviceLog;
  throw new CommandError("Give --account or --service, not both.", 2);
}

async function listEntries(options: ListOptions): Promise<void> {
  requireExisting(options);
  const selection = selectionOf(options);
  const entries = await withStorage(options, async (storage) =>
    auditOf(storage.control, await logOf(storage, options), selection),
  );
  const text =
    entries.length === 0
      ? "No entries."
      : plainTable(
          ["NUMBER", "TIME", "ACTOR", "ACTION", "SUBJECT"],
          entries.map(({ sequence, at, actor, action, subject }) => {
            return [
              sequence,
              new Date(at).toISOString(),
              `${actor.kind} ${actor.name}`,
              action,
              subject,
            ];
          }),
        );
  printResult(options.json === true, { entries: entries.map(listedEntry) }, text);
}

function selectionOf(options: ListOptions): AuditSelection {
  const { action = null, actor = null, subject = null, from, to, limit } = options;
  const nowMs = processIo.now();
  const { NEGATIVE_INFINITY: always, POSITIVE_INFINITY: ever } = Number;
  return {
    action,
    actorId: actor,
    subject,
    fromMs: from === undefined ? always : instantOfOption("--from", from, nowMs),
    toMs: to === undefined ? ever : instantOfOption("--to", to, nowMs),
    before: null,
    limit,
  };
}

async function exportEntries(file: string | undefined, options: AuditOptions): Promise<void> {
  if (options.json === true && file === undefined) {
    throw new CommandError("The entries and --json both use standard output. Name a file.", 2);
  }
  requireExisting(options);
  const entries = await withStorage(options, async (storage) =>
    writtenLines(linesOf(storage, await logOf(storage, options)), file),
  );
  if (file === undefined) return;
  printResult(
    options.json === true,
    { file, entries },
    `${file}: ${counted(entries, "entry", "entries")}.`,
  );
}

/** Entries are numbered without gaps, so a page is found by its numbers. */
async function* linesOf({ control }: Storage, log: string): AsyncGenerator<string> {
  const everything = { action: null, actorId: null, subject: null } as const;
  const ever = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY };
  for (let first = 1; ; first += pageEntries) {
    const page = { ...everything, ...ever, before: first + pageEntries, limit: pageEntries };
    const found = (await auditOf(control, log, page)).filter(isFrom(first)).toReversed();
    for (const entry of found) yield `${JSON.stringify(listedEntry(entry))}\n`;
    if (found.length < pageEntries) return;
  }
}

function isFrom(first: number) {
  return ({ sequence }: AuditEntry) => sequence >= first;
}

async function verifyEntries(options: AuditOptions): Promise<void> {
  requireExisting(options);
  const verified = await withStorage(options, async (storage) =>
    verifyAudit(storage.control, await logOf(storage, options)),
  );
  const { entries, head, brokenAt } = verified;
  const whole = `${counted(entries, "entry", "entries")}, each follows from the one before it.`;
  const broken = `Entry ${brokenAt} does not follow from the one before it: the log was changed.`;
  const text = brokenAt === null ? `${whole}\nLast hash: ${head ?? "none"}` : broken;
  printResult(options.json === true, verified, text);
  if (brokenAt !== null) process.exitCode = 1;
}
