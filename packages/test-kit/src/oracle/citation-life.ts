import { type Asked, emptyOf, sideOf } from "./compared.ts";
import type { OracleAccount } from "./model.ts";
import { byCodeUnit, type Reading } from "./oracle.ts";

/** A question for how long citations last. */
export interface LifeAsked {
  readonly after: Asked;
  readonly by: "class" | "provider" | "domain" | "page";
  readonly limit: number;
}

interface Life {
  readonly key: string;
  readonly days: number;
  readonly isGone: boolean;
  readonly isWon: boolean;
}

const dayMs = 86_400_000;
const dayOf = ({ at }: Reading) => Math.floor(at / dayMs);

/** What POST /v1/insights/citation-life has to reply. */
export function expectedLife(account: OracleAccount, { after, by, limit }: LifeAsked): object {
  const side = sideOf(account, after);
  const series = Map.groupBy(side.readings, ({ promptId, provider, region }) =>
    [promptId, provider, region].join(" "),
  );
  const lives = [...series.values()].flatMap((readings) => livesIn(readings, by));
  const groups = [...Map.groupBy(lives, ({ key }) => key)].sort(
    ([a, left], [b, right]) => right.length - left.length || byCodeUnit(a, b),
  );
  return {
    by,
    all: lastingOf(lives),
    groups: groups.slice(0, limit).map(([key, own]) => ({ key, ...lastingOf(own) })),
    total: groups.length,
    empty: lives.length > 0 ? null : emptyOf(account, side, true),
  };
}

/** The lives of every page in the answers of one series, day by day. */
function livesIn(readings: readonly Reading[], by: LifeAsked["by"]): readonly Life[] {
  const days = [...new Set(readings.map(dayOf))].sort((a, b) => a - b);
  const pages = new Map(readings.flatMap((each) => each.pages).map((page) => [page.url, page]));
  return [...pages.values()].flatMap(({ url, domain }) => {
    const cites = days.map((day) =>
      readings.some((each) => dayOf(each) === day && each.pages.some((page) => page.url === url)),
    );
    const keys = {
      class: domain.endsWith(".github.io") ? "code" : "other",
      provider: readings[0]?.provider ?? "",
      domain,
      page: url,
    };
    const lives: Life[] = [];
    let begun: number | null = null;
    for (const [asking, isCited] of cites.entries()) {
      if (isCited) begun ??= asking;
      if (begun === null) continue;
      const [first = 0, now = 0] = [days[begun], days[asking]];
      const missing = !isCited && cites[asking + 1] === false;
      const isLast = asking === days.length - 1;
      if (!missing && !isLast) continue;
      // One that is missing on its second day was ended on the first.
      const life = { key: keys[by], days: now - first, isGone: missing, isWon: begun > 0 };
      lives.push(life);
      begun = null;
    }
    return lives;
  });
}

function lastingOf(lives: readonly Life[]): object {
  const times = [...new Set(lives.filter(({ isGone }) => isGone).map(({ days }) => days))];
  const curve = times
    .sort((a, b) => a - b)
    .map((time) => {
      const until = times.filter((each) => each <= time);
      const value = until.reduce((product, each) => product * (1 - gone(each) / left(each)), 1);
      const sum = until.reduce(
        (all, each) => all + gone(each) / (left(each) * (left(each) - gone(each))),
        0,
      );
      return { time, value, bounds: boundsOf(value, sum) };
    });
  const last = Math.max(-1, ...lives.map(({ days }) => days));
  const at = curve.filter(({ time }) => time <= 28).at(-1);
  const isKnown = lives.length > 0 && (last >= 28 || at?.value === 0);
  const firstBelow = (of: (step: (typeof curve)[number]) => number) =>
    curve.find((step) => of(step) <= 0.5 + 1e-12)?.time ?? null;
  const low = firstBelow(({ value, bounds }) => bounds?.low ?? value);
  return {
    citations: lives.length,
    won: lives.filter(({ isWon }) => isWon).length,
    lost: lives.filter(({ isGone }) => isGone).length,
    medianDays: firstBelow(({ value }) => value),
    medianInterval:
      low === null ? null : { low, high: firstBelow(({ value, bounds }) => bounds?.high ?? value) },
    survival28: isKnown
      ? { value: at?.value ?? 1, interval: at?.bounds ?? null }
      : { value: null, interval: null },
  };

  function gone(time: number): number {
    return lives.filter(({ days, isGone }) => isGone && days === time).length;
  }

  function left(time: number): number {
    return lives.filter(({ days }) => days >= time).length;
  }
}

function boundsOf(value: number, sum: number) {
  if (value <= 0 || value >= 1) return null;
  const width = (1.959963984540054 * Math.sqrt(sum)) / -Math.log(value);
  return { low: value ** Math.exp(width), high: value ** Math.exp(-width) };
}
