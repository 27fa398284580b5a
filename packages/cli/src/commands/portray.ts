import { type Provider, providers } from "@sightline/contract";
import { Command } from "commander";
import {
  type CollectionsPlace,
  type PlaceOptions,
  withCollections,
} from "../collect/collections-place.ts";
import { followSweep, stopSignal, whileCollecting } from "../collect/follow-sweep.ts";
import { withExamples } from "../examples.ts";
import { choicesOption } from "../option-values.ts";
import { claimsText, endedReadingText, readingText } from "../output/reading-tables.ts";
import { idOf, type NameKind } from "../questions/names.ts";
import { type TimeOptions, timeRangeOf } from "../questions/time-range.ts";
import { CommandError, printResult } from "../result.ts";
import { withPlace } from "./collect.ts";

interface PortrayOptions extends PlaceOptions, TimeOptions {
  readonly estimate?: boolean;
  readonly show?: boolean;
  readonly provider?: readonly Provider[];
  readonly quotes?: string | true;
}

/** `sightline portray`: has a model read answers, and prints what it found. */
export function portrayCommand(): Command {
  const portray = withPlace(new Command("portray"))
    .option("--estimate", "print only how many answers, tokens and dollars; ask nothing")
    .option("--show", "print only what was read; ask nothing")
    .option(
      "--quotes [entity]",
      "quote the latest claims of one, by name or id (default: the brand)",
    )
    .option("--from <time>", "start of the range, inclusive (default: 30 days before its end)")
    .option("--to <time>", "end of the range, exclusive (default: the end of today, UTC)")
    .addOption(
      choicesOption("--provider <provider...>", "only answers of these (default: all)", providers),
    )
    .option(
      "--vendor-stand-in <url>",
      "asked instead of the endpoint (default: SIGHTLINE_VENDOR_STAND_IN)",
    )
    .action(runPortray);
  return withExamples(
    portray,
    ["sightline portray --estimate", "what reading the last 30 days would cost"],
    ["sightline portray --from this-month", "reads what is new, and prints the result"],
    ["sightline portray --show --quotes", "the brand's claims, those that differ from facts first"],
    ["sightline portray --show --json", "what was read, as JSON"],
  );
}

async function runPortray(options: PortrayOptions): Promise<void> {
  const { estimate = false, show = false, provider } = options;
  if (estimate && show) {
    throw new CommandError("--estimate and --show exclude each other. Give one of the two.", 2);
  }
  const json = options.json === true;
  const filters = {
    timeRange: timeRangeOf(options, Date.now()),
    ...(provider === undefined ? {} : { providers: [...new Set(provider)] }),
  };
  const stopped = stopSignal();
  await withCollections(options, async (place) => {
    const quoted = options.quotes === undefined ? {} : await quotesOf(place, options.quotes);
    if (show) {
      const claims = await place.claims({ filters, ...quoted });
      return printResult(json, claims, claimsText(claims));
    }
    const started = await place.read({ filters, dryRun: estimate });
    if (estimate) return printResult(json, started, readingText(started));
    if (!json) printResult(false, null, readingText(started));
    const { id, reader } = started;
    const collection = id === null ? null : await followed(place, id, stopped);
    const claims = await place.claims({ filters, reader, ...quoted });
    const shown = collection === null ? [] : [endedReadingText(collection), ""];
    const text = [...shown, claimsText(claims)].join("\n");
    printResult(json, { ...started, collection, claims }, text);
    if (collection !== null && collection.missing > 0) {
      process.exitCode = collection.done === 0 ? 1 : 2;
    }
  });
}

/** The entity whose claims are quoted; `true`: the brand. */
async function quotesOf(place: CollectionsPlace, name: string | true) {
  const { entities } = await place.tracked();
  const id = name === true ? entities[0]?.id : idOf(name, quotesKind, entities);
  return id === undefined ? {} : { quotesOf: id };
}

const quotesKind: NameKind = { option: "--quotes", plural: "entities", byPart: false };

async function followed(place: CollectionsPlace, id: string, stopped: Promise<"stopped">) {
  const follow = () =>
    followSweep(() => place.get(id), {
      isHere: place.here !== null,
      stopped,
      vendors: async () => (await place.list()).vendors,
    });
  const { here } = place;
  const ended = here === null ? await follow() : await whileCollecting(here, false, follow);
  if (ended !== null) return ended;
  const status = `See: sightline collect status ${id}`;
  throw new CommandError(`The reading continues as soon as a process collects. ${status}`, 1);
}
