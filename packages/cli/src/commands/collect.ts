import {
  type CollectionRequest,
  type Provider,
  providers,
  type StartedCollection,
  samplesMax,
} from "@sightline/contract";
import { hasCredentials } from "@sightline/server/credential-store";
import { Command, InvalidArgumentError } from "commander";
import { checkCommand } from "../collect/check-command.ts";
import {
  type CollectionsPlace,
  collectionService,
  type PlaceOptions,
  withCollections,
} from "../collect/collections-place.ts";
import { credentialsCommand } from "../collect/credentials-command.ts";
import { followSweep, stopSignal, whileCollecting } from "../collect/follow-sweep.ts";
import { withExamples } from "../examples.ts";
import { choicesOption, integerOption } from "../option-values.ts";
import { estimateText, statusText, sweepText } from "../output/collection-tables.ts";
import { idOf } from "../questions/names.ts";
import { CommandError, printResult } from "../result.ts";
import { placeOf, requireExisting, withStorage } from "../storage.ts";

interface CollectOptions extends PlaceOptions {
  readonly now?: boolean;
  readonly dryRun?: boolean;
  readonly wait?: boolean;
  readonly prompt?: readonly string[];
  readonly topic?: readonly string[];
  readonly provider?: readonly Provider[];
  readonly region?: readonly string[];
  readonly samples?: number;
}

/** `sightline collect`, with all that is about asking the providers. */
export function collectCommand(): Command {
  const collect = withPlace(new Command("collect"))
    .option("--now", "start a sweep now, and exit when it has ended")
    .option("--dry-run", "with --now: print only the estimate")
    .option("--wait", "with --now: stay when every vendor is stopped")
    .option("--prompt <prompt...>", "with --now: prompts, by text or id (default: all)")
    .option("--topic <topic...>", "with --now: topics, by name or id (default: all)")
    .addOption(
      choicesOption(
        "--provider <provider...>",
        "with --now: providers (default: the workspace's)",
        providers,
      ),
    )
    .option("--region <code...>", "with --now: countries (default: the workspace's)", regionsOf)
    .addOption(
      integerOption("--samples <n>", "with --now: times per prompt (default: the workspace's)", [
        1,
        samplesMax,
      ]),
    )
    .option("--prices <file>", "file of prices (default: SIGHTLINE_PRICES_FILE)")
    .option(
      "--vendor-stand-in <url>",
      "asked instead of all vendors (default: SIGHTLINE_VENDOR_STAND_IN)",
    )
    .action(runCollect);
  const status = withPlace(collect.command("status"))
    .description("show sweeps, vendors and spending, or one sweep")
    .argument("[sweepId]", "the sweep's id (default: an overview)")
    .action(showStatus);
  const cancel = withPlace(collect.command("cancel"))
    .description("cancel a sweep; answers that arrived count")
    .argument("<sweepId>", "the sweep's id, as status shows it")
    .action(cancelSweep);
  const accept = withPlace(collect.command("accept"))
    .description("let answers of a sweep count that are held back because they look wrong")
    .argument("<sweepId>", "the sweep's id, as status shows it")
    .action(acceptSweep);
  collect.addCommand(checkCommand());
  collect.addCommand(credentialsCommand(withPlace));
  const id = "3f2a9c1e-5b7d-4e8a-9c0f-1d2e3f4a5b6c";
  withExamples(status, ["sightline collect status", "sweeps, vendors, spending"]);
  withExamples(cancel, [`sightline collect cancel ${id}`, "nothing more is asked"]);
  withExamples(accept, [`sightline collect accept ${id}`, "after you have read some of them"]);
  return withExamples(
    collect,
    ["sightline collect --now --dry-run", "the estimate; nothing is asked"],
    ['sightline collect --now --prompt "best anvil" --provider OPENAI', "one prompt, once"],
    [
      "sightline collect --now --url https://sightline.example --key-file manage.key",
      "has a service ask, and shows the progress",
    ],
    ["sightline collect", "a process that only collects, by schedule, until it is stopped"],
  );
}

/** Adds the options that say where sweeps are. */
export function withPlace(command: Command): Command {
  return command
    .option("--account <id>", "the account; may be left out when there is only one")
    .option("--url <url>", "use this service instead, and the account of the key")
    .option(
      "--key-file <file>",
      "file with the key for --url (default: SIGHTLINE_KEY, the profile)",
    )
    .option("--profile <name>", "use the service of this profile, which login wrote")
    .option("--data-dir <dir>", "folder of all data (default: SIGHTLINE_DATA_DIR, else ./data)")
    .option("--json", "print one JSON document");
}

async function runCollect(options: CollectOptions): Promise<void> {
  if (options.now === true) return collectNow(options);
  const { dryRun, wait, prompt, topic, provider, region, samples, url, profile, account } = options;
  const ofNow = { dryRun, wait, prompt, topic, provider, region, samples, url, profile, account };
  if (Object.values(ofNow).some((each) => each !== undefined)) {
    throw new CommandError("Without --now it collects for all by their schedules. Add --now.", 2);
  }
  requireExisting(options);
  const { vendors } = placeOf(options).collection.credentials;
  const stopped = stopSignal();
  await withStorage(options, async (storage) => {
    if (vendors.length === 0 && !(await hasCredentials(storage.control))) {
      throw new CommandError(
        "No credential of a vendor is set: set SIGHTLINE_OPENAI_KEY or another one.",
        2,
      );
    }
    await whileCollecting(collectionService(storage, options), true, async () => {
      const from = vendors.length === 0 ? "vendors, with stored credentials" : vendors.join(", ");
      printResult(options.json === true, { vendors }, `collecting from ${from}`);
      await stopped;
    });
  });
}

async function collectNow(options: CollectOptions): Promise<void> {
  const json = options.json === true;
  const dryRun = options.dryRun === true;
  const stopped = stopSignal();
  await withCollections(options, async (place) => {
    const started = await place.start({ ...(await requestOf(place, options)), dryRun });
    const { id } = started;
    if (dryRun || id === null) return printResult(json, started, estimateText(started));
    if (!json) printResult(false, null, `${estimateText(started)}\nSweep ${id} is asked.`);
    const isHere = place.here !== null;
    const follow = () =>
      followSweep(() => place.get(id), {
        isHere,
        stopped,
        waits: options.wait === true,
        vendors: async () => (await place.list()).vendors,
      }).catch((error: unknown) => {
        throw notFollowed(started, id, error);
      });
    const ended =
      place.here === null ? await follow() : await whileCollecting(place.here, false, follow);
    if (ended === null) {
      throw new CommandError(
        `Sweep ${id} continues as soon as a process collects. See: sightline collect status ${id}`,
        1,
        started,
      );
    }
    printResult(json, { ...started, collection: ended }, sweepText(ended));
    if (ended.endedAt === null) process.exitCode = 1;
    else if (ended.missing > 0) process.exitCode = ended.done === 0 ? 1 : 2;
  });
}

/** Without its id, a reader of the failure would start the sweep, and pay for it, again. */
function notFollowed(started: StartedCollection, id: string, error: unknown): CommandError {
  if (error instanceof CommandError) return new CommandError(error.message, 1, started);
  const reason = error instanceof Error ? error.message : String(error);
  const message = `Sweep ${id} was started, but how it goes could not be read: ${reason}`;
  return new CommandError(`${message}\nSee: sightline collect status ${id}`, 1, started);
}

async function requestOf(
  { tracked }: CollectionsPlace,
  { prompt, topic, provider, region, samples }: CollectOptions,
): Promise<CollectionRequest> {
  if (prompt !== undefined && topic !== undefined) {
    throw new CommandError("--prompt and --topic exclude each other. Give one of the two.", 2);
  }
  const names = prompt === undefined && topic === undefined ? null : await tracked();
  const prompts = names?.prompts.map(({ id, text }) => ({ id, name: text })) ?? [];
  const topics = names?.topics ?? [];
  const promptKind = { option: "--prompt", plural: "prompts", byPart: true };
  const topicKind = { option: "--topic", plural: "topics", byPart: false };
  const idsOf = (given: readonly string[], kind: typeof promptKind, known: typeof prompts) =>
    given.map((each) => idOf(each, kind, known).toLowerCase());
  return {
    ...(prompt === undefined ? {} : { promptIds: idsOf(prompt, promptKind, prompts) }),
    ...(topic === undefined
      ? {}
      : { topics: idsOf(topic, topicKind, [...topics]).map((id) => ({ id })) }),
    ...(provider === undefined ? {} : { providers: [...new Set(provider)] }),
    ...(region === undefined ? {} : { regions: [...new Set(region)] }),
    ...(samples === undefined ? {} : { samples }),
  };
}

async function showStatus(
  sweepId: string | undefined,
  _own: PlaceOptions,
  command: Command,
): Promise<void> {
  // TRICKY: an option that `collect` has too is taken for its own, wherever it stands.
  const options = command.optsWithGlobals<PlaceOptions>();
  await withCollections(options, async ({ list, get }) => {
    if (sweepId === undefined) {
      const status = await list();
      return printResult(options.json === true, status, statusText(status));
    }
    const sweep = await get(sweepId);
    printResult(options.json === true, sweep, sweepText(sweep));
  });
}

async function cancelSweep(sweepId: string, _own: PlaceOptions, command: Command): Promise<void> {
  const options = command.optsWithGlobals<PlaceOptions>();
  const sweep = await withCollections(options, ({ cancel }) => cancel(sweepId));
  printResult(options.json === true, sweep, sweepText(sweep));
}

async function acceptSweep(sweepId: string, _own: PlaceOptions, command: Command): Promise<void> {
  const options = command.optsWithGlobals<PlaceOptions>();
  const sweep = await withCollections(options, ({ accept }) => accept(sweepId));
  printResult(options.json === true, sweep, sweepText(sweep));
}

function regionsOf(given: string, before: readonly string[] | undefined): readonly string[] {
  if (/^[A-Za-z]{2}$/.test(given)) return [...(before ?? []), given.toUpperCase()];
  throw new InvalidArgumentError("Use countries of ISO 3166-1, such as US or DE.");
}
