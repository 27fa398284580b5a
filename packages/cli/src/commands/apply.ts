import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WorkspacePreviewResponse } from "@sightline/contract";
import {
  allAccounts,
  namesakesOf,
  textsRemovedBefore,
  workspaceOf,
} from "@sightline/server/account-store";
import {
  type ApplyEffects,
  type ApplyReport,
  applyEffects,
  applyWorkspace,
  type Change,
} from "@sightline/server/apply-workspace";
import { type PricedAt, workspaceWarnings } from "@sightline/server/ask-warnings";
import { readConfig } from "@sightline/server/config";
import { previewNames } from "@sightline/server/preview-names";
import type { Storage } from "@sightline/server/storage";
import { Command } from "commander";
import { withExamples } from "../examples.ts";
import { safeText } from "../output/safe-text.ts";
import { CommandError, printResult } from "../result.ts";
import { accountOf, clusterPlace, type DataOptions, withStorage } from "../storage.ts";
import { readWorkspaces, type WorkspaceInput } from "../workspace-input.ts";

interface ApplyOptions extends DataOptions {
  readonly account?: string;
  readonly dryRun?: boolean;
}

/** `sightline apply FILE…`: makes accounts track exactly what workspace files say. */
export function applyCommand(): Command {
  const command = new Command("apply")
    .argument("<files...>", "the workspace files, one account each; - for standard input")
    .option("--account <id>", "the existing account that one file without an id is applied to")
    .option("--dry-run", "print what would change, and write nothing")
    .option("--data-dir <dir>", "folder of all data (default: SIGHTLINE_DATA_DIR, else ./data)")
    .option("--json", "print one JSON document")
    .action(apply);
  return withExamples(
    command,
    ["sightline apply workspace.yaml", "tracks what the file says; repeating it changes nothing"],
    ["sightline apply workspace.yaml --dry-run", "prints what would change"],
    [
      "sightline apply acme.yaml globex.yaml",
      "two accounts; all files are read before any is applied",
    ],
    ["sightline apply - --data-dir data", "reads standard input"],
    [
      "sightline apply acme.yaml --account 0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001",
      "changes an account that the console created, whatever name the file gives it",
    ],
  );
}

async function apply(files: readonly string[], options: ApplyOptions): Promise<void> {
  if (options.account !== undefined && files.length > 1) {
    throw new CommandError("--account goes with one file: each file is an account of its own.", 2);
  }
  const inputs = await readWorkspaces(files, options.account?.toLowerCase());
  const dryRun = options.dryRun === true;
  const { prices } = readConfig({}, process.env).collection;
  const applied = await (dryRun ? withoutWriting : withStorage)(options, async (storage) => {
    if (options.account !== undefined) await accountOf(storage, options.account);
    await refuseNamesakes(storage, inputs);
    const others = await allAccounts(storage.control);
    const done: AppliedFile[] = [];
    for (const input of inputs) {
      done.push(await applyOne(storage, input, { dryRun, done, others, prices }));
    }
    return done;
  });
  for (const warning of applied.flatMap(({ warnings }) => warnings)) {
    process.stderr.write(`sightline: warning: ${safeText(warning)}\n`);
  }
  const document = applied.length === 1 ? applied[0] : { accounts: applied };
  printResult(options.json === true, document, applied.map(appliedText).join("\n"));
}

/**
 * An account that the console created has an id that no name gives: a file of its name without an
 * id would silently create a second one. @throws CommandError; nothing is applied then.
 */
async function refuseNamesakes(
  { control }: Storage,
  inputs: readonly WorkspaceInput[],
): Promise<void> {
  for (const { file, workspace } of inputs) {
    const [first, ...others] = await namesakesOf(control, workspace);
    if (first === undefined) continue;
    const name = JSON.stringify(workspace.accountName);
    const ids = [first, ...others].map(({ id }) => id).join(" or ");
    throw new CommandError(
      `${file}: an account named ${JSON.stringify(first.name)} exists already, with the id ` +
        `${ids}; nothing was changed. To change it, run apply with --account ${first.id}, or ` +
        `write account: { id: ${first.id}, name: ${name} } in the file. To create another ` +
        "account of this name, write an id of its own under account.",
      2,
    );
  }
}

/** A dry run in a missing data folder creates none: it runs in a temporary one. */
async function withoutWriting<Result>(
  options: ApplyOptions,
  work: (storage: Storage) => Promise<Result>,
): Promise<Result> {
  const { dataDir } = readConfig({ dataDir: options.dataDir }, process.env);
  const isThere = clusterPlace(options) !== null || existsSync(join(dataDir, "control.sqlite"));
  if (isThere) return withStorage(options, work);
  const empty = mkdtempSync(join(tmpdir(), "sightline-dry-run-"));
  try {
    return await withStorage({ dataDir: empty }, work);
  } finally {
    rmSync(empty, { recursive: true });
  }
}

interface Progress {
  readonly prices: PricedAt["prices"];
  readonly dryRun: boolean;
  /** The files before this one. */
  readonly done: readonly AppliedFile[];
  /** The accounts that existed before the first file. */
  readonly others: readonly AccountName[];
}

interface AccountName {
  readonly id: string;
  readonly name: string;
}

async function applyOne(
  storage: Storage,
  { file, workspace }: WorkspaceInput,
  { dryRun, done, others, prices }: Progress,
): Promise<AppliedFile> {
  const names = dryRun ? await previewOf(storage, workspace) : null;
  const { revision: _, ...report } = await applyWorkspace(
    storage.control,
    workspace.accountId,
    workspace,
    { now: storage.clock.now(), dryRun },
  ).catch((error: unknown) => {
    if (done.length === 0) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${file}: ${reason} The ${done.length} files before it are applied.`);
  });
  const { accountId, changes } = report;
  const effects = await applyEffects(changes, () => storage.countAnswersByPrompt(accountId));
  const warnings = [
    newAccountWarning(report, others),
    retiredWarning(effects.answersNoLongerCounted),
    removedTextsWarning(changes, await textsRemovedBefore(storage.control, accountId)),
    ...workspaceWarnings(workspace, { prices, at: Date.now() }),
  ];
  return {
    ...report,
    dryRun,
    ...effects,
    ...(names === null ? {} : { names }),
    warnings: warnings.filter((warning) => warning !== null),
  };
}

/** How long answers are read before an apply says what it would change. */
const previewReadingMs = 5_000;

/** What other names and domains would find in the recorded answers; null: the account is new. */
async function previewOf(
  storage: Storage,
  { accountId, entities }: WorkspaceInput["workspace"],
): Promise<WorkspacePreviewResponse | null> {
  const workspace = await workspaceOf(storage.control, accountId);
  const { signal } = new AbortController();
  const readingMs = previewReadingMs;
  return workspace && previewNames(storage, { workspace, entities, readingMs, signal });
}

/** What was not looked for in a text cannot be found once the text is gone. */
function removedTextsWarning(
  { created, updated }: ApplyReport["changes"],
  beforeMs: number | null,
): string | null {
  const kinds: readonly string[] = ["brand", "competitor"];
  const isNamed = [...created, ...updated].some(({ kind }) => kinds.includes(kind));
  if (beforeMs === null || !isNamed) return null;
  return (
    `the texts of answers before ${new Date(beforeMs).toISOString().slice(0, 10)} were removed: ` +
    "new names are not found in them."
  );
}

function retiredWarning(answers: number): string | null {
  if (answers === 0) return null;
  const [number, verb] = answers === 1 ? ["1 answer", "counts"] : [`${answers} answers`, "count"];
  return (
    `${number} of retired prompts no longer ${verb}. They stay recorded; they count again ` +
    "when a file names the prompts with the same ids."
  );
}

/** A typing error in an account's name creates a second account. */
function newAccountWarning(
  { changes, accountName }: Pick<ApplyReport, "changes" | "accountName">,
  others: readonly AccountName[],
): string | null {
  const [other, ...more] = others;
  const isNew = changes.created.some(({ kind }) => kind === "account");
  if (!isNew || other === undefined) return null;
  const andMore = more.length === 0 ? "" : ` and ${more.length} more (sightline accounts list)`;
  return (
    `the account ${JSON.stringify(accountName)} is new. Existing accounts: ` +
    `${JSON.stringify(other.name)} (${other.id})${andMore}. ` +
    "To change an existing account, write its id under account."
  );
}

/** The result of an apply, and its consequences. */
interface AppliedFile extends Omit<ApplyReport, "revision">, ApplyEffects {
  readonly dryRun: boolean;
  /** Of a dry run: what other names and domains would find; omitted: the account is new. */
  readonly names?: WorkspacePreviewResponse;
  /** For people: changes that may be unintended. */
  readonly warnings: readonly string[];
}

/** As many items as fit on a screen; `--json` lists all. */
const namedMax = 20;
const nameCharactersMax = 100;

/** The counts in one line, then created and retired items, one per line. */
function appliedText(applied: AppliedFile): string {
  const { accountId, created, updated, retired, unchanged, changes, dryRun } = applied;
  const counts = `${created} created, ${updated} updated, ${retired} retired`;
  const again = applied.answersCountedAgain;
  const opening = dryRun ? "Dry run, nothing was written. " : "";
  return [
    `${opening}Account ${accountId}: ${counts}, ${unchanged} unchanged.`,
    ...(again === 0 ? [] : [`Recorded answers that count again: ${again}.`]),
    ...namesText(applied.names),
    ...listed("created", changes.created),
    ...listed("retired", changes.retired),
  ].join("\n");
}

/** What names and domains would begin and stop to find, one line for each entity. */
function namesText(names: WorkspacePreviewResponse | undefined): readonly string[] {
  if (names === undefined || names.entities.length === 0) return [];
  const { answers, read, isSample, entities } = names;
  const basis = isSample
    ? `estimated from ${read} of ${answers} recorded answers, drawn at random`
    : `all ${answers} recorded answers`;
  const lines = entities.slice(0, namedMax).map(({ name, mentions, citations }) => {
    const parts = [differenceText("mentions", mentions), differenceText("citations", citations)];
    return `  ${shown(name)}: ${parts.join("; ")}`;
  });
  const left = entities.length - lines.length;
  const more = left > 0 ? [`  and ${left} more; --json names all`] : [];
  return [`Names and domains (${basis}):`, ...lines, ...more];
}

type Previewed = WorkspacePreviewResponse["entities"][number]["mentions"];

function differenceText(what: string, { added, removed }: Previewed): string {
  const part = (sign: string, { read, answers, interval }: Previewed["added"]) => {
    const bounds = interval === null || read === 0 ? "" : ` (${interval.low} to ${interval.high})`;
    return `${sign}${answers}${bounds}`;
  };
  return `${what} ${part("+", added)} ${part("-", removed)}`;
}

function listed(what: string, changes: readonly Change[]): readonly string[] {
  if (changes.length === 0) return [];
  const lines = changes
    .slice(0, namedMax)
    .map(({ kind, id, name }) => `  ${kind.padEnd("competitor".length)}  ${id}  ${shown(name)}`);
  const left = changes.length - lines.length;
  return [`${what}:`, ...lines, ...(left > 0 ? [`  and ${left} more; --json names all`] : [])];
}

function shown(name: string): string {
  const short = name.length > nameCharactersMax ? `${name.slice(0, nameCharactersMax)}…` : name;
  return safeText(short.toWellFormed());
}
