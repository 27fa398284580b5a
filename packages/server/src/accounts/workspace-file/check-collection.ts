import { type Ask, askOf, type CollectionRule, cadencesMax, quoted } from "@sightline/contract";
import { cronFault } from "../cadence.ts";
import type { Faults, Path } from "./faults.ts";
import type { WorkspaceFile } from "./file-schema.ts";

/** What of a file says when and of whom to ask. */
type Asking = Pick<WorkspaceFile, "collection" | "topics" | "prompts">;

/** Finds what in a file's `collection` fields is wrong or does not fit together. */
export function checkCollection(
  { collection, topics = [], prompts = [] }: Asking,
  faults: Faults,
): void {
  const check = new CollectionCheck(faults, collection?.mixSurfaces === true);
  if (collection !== undefined) check.rule(collection, { path: ["collection"], around: [] });
  const ofTopics = new Map(topics.map((topic) => [topic.name, topic.collection]));
  for (const [index, topic] of topics.entries()) {
    if (topic.collection === undefined) continue;
    const path = ["topics", index, "collection"];
    check.rule(topic.collection, { path, around: [collection] });
  }
  for (const [index, prompt] of prompts.entries()) {
    if (prompt.collection === undefined) continue;
    const ofTopic = prompt.topic === undefined ? undefined : ofTopics.get(prompt.topic);
    const path = ["prompts", index, "collection"];
    check.rule(prompt.collection, { path, around: [ofTopic, collection] });
  }
}

interface Place {
  readonly path: Path;
  /** The rules that it takes from what it omits, the nearest first. */
  readonly around: readonly (CollectionRule | undefined)[];
}

class CollectionCheck {
  readonly #faults: Faults;
  readonly #mixes: boolean;
  /** The first ask of each provider, and of each provider's surface. */
  readonly #first = new Map<string, Ask>();
  readonly #cadences = new Set<string>();
  /** By text: a file of 100,000 prompts has few of them. */
  readonly #crons = new Map<string, string | null>();
  readonly #timeZones = new Map<string, string | null>();

  constructor(faults: Faults, mixes: boolean) {
    this.#faults = faults;
    this.#mixes = mixes;
  }

  rule(rule: CollectionRule, { path, around }: Place): void {
    if (this.#faults.isFull) return;
    const { cron, timeZone, providers, regions } = rule;
    if (timeZone !== undefined) {
      this.#add([...path, "timeZone"], judged(this.#timeZones, timeZone, timeZoneFault));
    }
    if (cron !== undefined)
      this.#cron(cron, { path: [...path, "cron"], around: [rule, ...around] });
    this.#regions(regions, path);
    const asked = new Set<string>();
    for (const [index, item] of (providers ?? []).entries()) {
      const ask = askOf(item);
      const at = [...path, "providers", index];
      if (typeof item !== "string") this.#regions(item.regions, at);
      if (typeof ask === "string") this.#add(at, ask);
      else this.#add(at, twice(asked, `${ask.provider} ${ask.surface}`) ?? this.#mixed(ask));
    }
  }

  #regions(regions: CollectionRule["regions"], path: Path): void {
    const seen = new Set<string>();
    for (const [index, region] of (regions ?? []).entries()) {
      const wrong = countries.has(region) ? null : notACountry(region);
      this.#add([...path, "regions", index], wrong ?? twice(seen, region));
    }
  }

  #cron(cron: string, { path, around }: Place): void {
    this.#add(path, judged(this.#crons, cron, cronFault) ?? this.#cadence(cron, around));
  }

  #cadence(cron: string, around: Place["around"]): string | null {
    if (around.every((rule) => rule?.providers === undefined)) {
      return "needs `providers`, here or around: nobody is asked otherwise.";
    }
    const timeZone = around.find((rule) => rule?.timeZone !== undefined)?.timeZone;
    this.#cadences.add(`${cron} ${timeZone}`);
    const times = this.#cadences.size;
    return times > cadencesMax ? `is one time too many: at most ${cadencesMax} differ.` : null;
  }

  /** Answers of a page and of a program are not counted together unless that is wanted. */
  #mixed(ask: Ask): string | null {
    const { provider, surface, vendor } = ask;
    const onSurface = `${provider} ${surface}`;
    const [first = ask, same = ask] = [this.#first.get(provider), this.#first.get(onSurface)];
    this.#first.set(provider, first).set(onSurface, same);
    if (same.vendor !== vendor) {
      return `${provider} on ${surface} is asked of ${same.vendor} in this file: write one vendor.`;
    }
    if (this.#mixes || first.surface === surface) return null;
    const both = `${provider} is asked on ${first.surface} in this file and on ${surface} here`;
    return `${both}. Write one surface, or \`mixSurfaces: true\` under \`collection\`.`;
  }

  #add(path: Path, message: string | null): void {
    if (message !== null) this.#faults.add(path, "not_allowed", message);
  }
}

function judged(
  known: Map<string, string | null>,
  text: string,
  judge: (text: string) => string | null,
): string | null {
  const before = known.get(text);
  if (before !== undefined) return before;
  const fault = judge(text);
  known.set(text, fault);
  return fault;
}

function notACountry(region: string): string {
  return `must be a country of ISO 3166-1, such as US or DE, got ${quoted(region)}.`;
}

function twice(seen: Set<string>, name: string): string | null {
  if (seen.has(name)) return `${name} stands in this list already.`;
  seen.add(name);
  return null;
}

/** Why a time zone is none; null: it is one. */
function timeZoneFault(timeZone: string): string | null {
  try {
    new Intl.DateTimeFormat("en", { timeZone });
    return null;
  } catch {
    return `must be a time zone such as Europe/Berlin or UTC, got ${quoted(timeZone)}.`;
  }
}

/** ISO 3166-1, alpha-2; Intl would also take regions that are no countries, such as EU. */
const codes = `
  AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS
  BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE
  EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM
  HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC
  LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA
  NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW
  SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO
  TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`;

/** The countries that a prompt can be asked for: two upper-case letters each. */
const countries: ReadonlySet<string> = new Set(codes.trim().split(/\s+/));
