import { wilson } from "../../packages/server/src/questions/statistics/estimates.ts";
import type { CitedPage, LabelledAnswer, NamedPlace, Reading } from "./labels.ts";
import { ranksOf } from "./labels.ts";
import { nameRules, pageRules, type Rule, sightline } from "./rules.ts";

/** What was found, what was there to be found, and what is in both. */
export interface Tally {
  readonly found: number;
  readonly labelled: number;
  readonly right: number;
}

/** A share with its Wilson 95 % interval; null of nothing. */
export interface Share {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly of: number;
}

/** How a rule for names does. */
interface NameScore {
  readonly rule: string;
  /** The same entity at the same span. */
  readonly mentions: Tally;
  /** Pairs of answer and entity: named or not. */
  readonly named: Tally;
  /** Of the pairs that a reader ranks, those whose rank is the same. */
  readonly ranks: Tally;
}

/** How a rule for cited pages does, by answer. */
interface PageScore {
  readonly rule: string;
  readonly pages: Tally;
  readonly domains: Tally;
}

/** A place or a cited page that Sightline missed, or found where there is none. */
export interface Mistake {
  readonly id: string;
  readonly script: string | null;
  readonly about: string | null;
  readonly kind: "missed" | "wrong";
  /** The entity or page. */
  readonly what: string;
  /** The text around the place; null where it is about a page. */
  readonly context: string | null;
}

/** Difficulties with which Sightline makes mistakes, and how many. */
interface MistakenKind {
  readonly script: string;
  readonly about: string;
  readonly missed: number;
  readonly wrong: number;
}

/** How the rules do on a set of labelled answers. */
export interface Accuracy {
  /** Those that track somebody; and those whose cited pages alone are labelled. */
  readonly answers: number;
  readonly replies: number;
  readonly names: readonly NameScore[];
  readonly pages: readonly PageScore[];
  /** Sightline's mentions by script; empty where labels name none. */
  readonly scripts: readonly (Omit<NameScore, "rule"> & { readonly script: string })[];
  /** Empty where labels say nothing about their texts. */
  readonly mistakes: readonly MistakenKind[];
}

/** Reads every answer by every rule, and counts. */
export function scoreOf(answers: readonly LabelledAnswer[]): Accuracy {
  const ours = answers.map((each) => sightline.read(each));
  const scripts = [...new Set(answers.flatMap(({ script }) => script ?? []))];
  return {
    answers: answers.filter(({ entities }) => entities.length > 0).length,
    replies: answers.filter(({ entities }) => entities.length === 0).length,
    names: [
      nameScore(sightline.name, answers, ours),
      ...nameRules.map(({ name, read }) =>
        nameScore(
          name,
          answers,
          answers.map((each) => readingOf(read(each))),
        ),
      ),
    ],
    pages: [
      pageScore(sightline, answers),
      ...pageRules.map(({ name, read }) =>
        pageScore({ name, read: (each) => ({ citations: read(each) }) }, answers),
      ),
    ],
    scripts: scripts.map((script) => {
      const places = [...answers.keys()].filter((place) => answers[place]?.script === script);
      const { mentions, named, ranks } = nameScore(
        script,
        places.flatMap((place) => answers[place] ?? []),
        places.flatMap((place) => ours[place] ?? []),
      );
      return { script, mentions, named, ranks };
    }),
    mistakes: mistakenKinds(mistakesIn(answers)),
  };
}

function readingOf(mentions: readonly NamedPlace[]): Reading {
  return { mentions, ranks: ranksOf(mentions), citations: [] };
}

function nameScore(
  rule: string,
  answers: readonly LabelledAnswer[],
  readings: readonly Reading[],
): NameScore {
  const pairs = answers.map(({ labels }, place) => ({
    labels,
    reading: readings[place] ?? labels,
  }));
  const tallies = (keys: (reading: Reading) => readonly string[]) =>
    sum(pairs.map(({ labels, reading }) => tally(keys(reading), keys(labels))));
  return {
    rule,
    mentions: tallies(({ mentions }) => mentions.map(placeKey)),
    named: tallies(({ ranks }) => ranks),
    ranks: tallies(({ ranks }) => ranks.map((entity, place) => `${place + 1} ${entity}`)),
  };
}

function pageScore(
  { name, read }: Rule<Pick<Reading, "citations">>,
  answers: readonly LabelledAnswer[],
): PageScore {
  const pairs = answers.map((each) => ({ labels: each.labels, reading: read(each) }));
  const tallies = (key: (page: CitedPage) => string) =>
    sum(
      pairs.map(({ labels, reading }) =>
        tally(reading.citations.map(key), labels.citations.map(key)),
      ),
    );
  return {
    rule: name,
    pages: tallies(({ canonicalUrl }) => canonicalUrl),
    domains: tallies(({ domain }) => domain),
  };
}

/** Sightline's mistakes, one by one. */
export function mistakesIn(answers: readonly LabelledAnswer[]): readonly Mistake[] {
  return answers.flatMap((each) => {
    const reading = sightline.read(each);
    return [
      ...differences(each, "missed", each.labels, reading),
      ...differences(each, "wrong", reading, each.labels),
    ];
  });
}

/** Characters that are shown on each side of a place. */
const contextCharacters = 30;

/** What is in one reading and not in the other. */
function differences(
  { id, script, about, answer: { text } }: LabelledAnswer,
  kind: Mistake["kind"],
  from: Reading,
  other: Reading,
): readonly Mistake[] {
  const [places, pages] = [other.mentions.map(placeKey), other.citations.map(pageKey)];
  const mentions = from.mentions.filter((place) => !places.includes(placeKey(place)));
  const citations = from.citations.filter((page) => !pages.includes(pageKey(page)));
  const mistake = { id, script, about, kind };
  return [
    ...mentions.map(({ entity, start, end }) => ({
      ...mistake,
      what: entity,
      context: text.slice(Math.max(0, start - contextCharacters), end + contextCharacters),
    })),
    ...citations.map(({ canonicalUrl }) => ({ ...mistake, what: canonicalUrl, context: null })),
  ];
}

function mistakenKinds(mistakes: readonly Mistake[]): readonly MistakenKind[] {
  const kinds = Map.groupBy(mistakes, ({ script, about }) => `${script} ${about}`);
  return [...kinds.values()].flatMap((group) => {
    const { script = null, about = null } = group[0] ?? {};
    if (script === null || about === null) return [];
    const missed = group.filter(({ kind }) => kind === "missed").length;
    return [{ script, about, missed, wrong: group.length - missed }];
  });
}

function pageKey({ canonicalUrl, domain }: CitedPage): string {
  return `${canonicalUrl} ${domain}`;
}

function placeKey({ entity, start, end }: NamedPlace): string {
  return `${start} ${end} ${entity}`;
}

function tally(found: readonly string[], labelled: readonly string[]): Tally {
  const [ours, theirs] = [new Set(found), new Set(labelled)];
  const right = [...ours].filter((key) => theirs.has(key)).length;
  return { found: ours.size, labelled: theirs.size, right };
}

function sum(tallies: readonly Tally[]): Tally {
  const total = { found: 0, labelled: 0, right: 0 };
  for (const { found, labelled, right } of tallies) {
    total.found += found;
    total.labelled += labelled;
    total.right += right;
  }
  return total;
}

/** Of what a rule finds, the share that is right; null when it finds nothing. */
export function precision({ found, right }: Tally): Share | null {
  return shareOf(right, found);
}

/** Of what is there, the share that a rule finds; null when there is nothing. */
export function recall({ labelled, right }: Tally): Share | null {
  return shareOf(right, labelled);
}

/** The normal quantile of a 95 % interval. */
const quantile = 1.959964;

function shareOf(part: number, of: number): Share | null {
  if (of === 0) return null;
  const value = part / of;
  const { low, high } = wilson(value, of, quantile);
  return { value, low, high, of };
}

/** A share in percent with its interval and its whole; a dash of nothing. */
export function shown(share: Share | null): string {
  if (share === null) return "–";
  const [low, high] = [share.low, share.high].map((each) => (100 * each).toFixed(1));
  return `${percent(share)} % (${low}–${high}), of ${share.of}`;
}

/** A share in percent, without its sign; a dash of nothing. */
export function percent(share: Share | null): string {
  return share === null ? "–" : (100 * share.value).toFixed(1);
}
