import fc from "fast-check";
import { type Asked, providersInOrder } from "./compared.ts";
import type { Excluded, Filters } from "./model.ts";
import { arbitraryQuestion, type QuestionDraft } from "./question-draft.ts";
import { anchors } from "./scenario.ts";
import type { TrackedAccount } from "./tracked-account.ts";

const dayMs = 86_400_000;

const some = <Item>(...items: readonly Item[]) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...items), { maxLength: 2 }), { freq: 1 });

/** What insights alone filter by. */
const arbitraryOrigin = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ models: null, surfaces: null, tags: null }) },
  {
    weight: 1,
    arbitrary: fc.record({
      models: some("alpha", "beta", "gamma"),
      surfaces: some("api", "web"),
      tags: some("Germany", "BUYING", " new  Home ", "elsewhere"),
    }),
  },
);

/** The weeks before and after an anchor, with a draft's other filters; or the draft's range. */
export const arbitraryWindow = fc.record({
  draft: arbitraryQuestion,
  window: fc.constantFrom("draft", "before", "after", "after", "around"),
  /** Its filters are what is left out. */
  excluded: fc.option(arbitraryQuestion, { freq: 1 }),
  origin: arbitraryOrigin,
  excludedOrigin: arbitraryOrigin,
});
/** A window that is not yet of an account. */
export type WindowDraft = typeof arbitraryWindow extends fc.Arbitrary<infer Value> ? Value : never;

/** The window that a draft means for an account. */
export function askedOf(
  account: TrackedAccount,
  { draft, window, excluded, origin, excludedOrigin }: WindowDraft,
  isBare: boolean,
): Asked {
  const { body, fromMs, toMs } = account.question(draft as QuestionDraft);
  const place = account.answers.map(({ at }) => at).sort((a, b) => a - b);
  const anchor = anchorOf(place);
  const weeks = {
    draft: [fromMs, toMs],
    before: [anchor - 10 * dayMs, anchor],
    after: [anchor, anchor + 10 * dayMs],
    around: [anchor - 5 * dayMs, anchor + 12 * dayMs],
  } as const;
  const [start, end] = weeks[window];
  const exclude =
    excluded === null || isBare
      ? undefined
      : { ...excludedBy(account, excluded), ...known(excludedOrigin) };
  const asked = { ...body.filters, ...known(origin) };
  if (window === "draft") return { filters: asked, exclude, fromMs, toMs };
  const [from, to] = [start, end].map((ms) => new Date(ms).toISOString());
  const others = isBare ? {} : asked;
  const filters: Filters = { ...others, timeRange: { from: from ?? "", to: to ?? "" } };
  return { filters, exclude, fromMs: start, toMs: end };
}

function known({ models, surfaces, tags }: WindowDraft["origin"]): Excluded {
  return {
    ...(tags === null ? {} : { tags }),
    ...(models === null ? {} : { models }),
    ...(surfaces === null ? {} : { surfaces }),
  };
}

function excludedBy(account: TrackedAccount, draft: QuestionDraft): Excluded {
  const { providers, topics, promptIds, regions } = account.question(draft).body.filters;
  return {
    ...(providers === undefined ? {} : { providers }),
    ...(topics === undefined ? {} : { topics }),
    ...(promptIds === undefined ? {} : { promptIds }),
    ...(regions === undefined ? {} : { regions }),
  };
}

/** The anchor nearest to an account's answers, and far from the ends of time. */
export function anchorOf(times: readonly number[]): number {
  const middle = times[Math.floor(times.length / 2)] ?? 0;
  const [first = 0] = anchors;
  return anchors
    .slice(0, 8)
    .reduce(
      (best, each) => (Math.abs(each - middle) < Math.abs(best - middle) ? each : best),
      first,
    );
}

/** Whether two sides differ in their time alone, and have some of it in common. */
export function countsTwice(after: Asked, before: Asked): boolean {
  if (before.toMs <= after.fromMs || after.toMs <= before.fromMs) return false;
  const set = (items: readonly string[] = []) => [...new Set(items)].sort().join().toLowerCase();
  const items = ({ providers, topics, promptIds, regions, models, ...rest }: Excluded) => [
    ...[set(providers), set(topics?.map(({ id }) => id)), set(promptIds)],
    ...[set(regions?.map(({ code }) => code)), set(models), set(rest.surfaces), set(rest.tags)],
  ];
  const others = ({ filters, exclude = {} }: Asked) => [
    ...items(filters),
    filters.branded,
    ...items(exclude),
  ];
  return JSON.stringify(others(after)) === JSON.stringify(others(before));
}

/** Whether filters are refused. */
export function isRefused({ topics = [], promptIds = [] }: Filters): boolean {
  return topics.length > 0 && promptIds.length > 0;
}

/**
 * Plans by a day of each provider after the first anchor: panels mostly ask a prompt once in each,
 * which random windows seldom have.
 */
export function dayPlansOf({ workspace: { entities } }: TrackedAccount) {
  const fromMs = (anchors[0] ?? 0) + 2 * dayMs;
  const toMs = fromMs + dayMs;
  const timeRange = { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
  const draft = { plan: { change: 0.1, power: 0.6, answersPerPrompt: 5 } } as const;
  const entity = { entityId: entities[0]?.id ?? "", metric: "mentions" as const };
  return providersInOrder.map((provider) => {
    const filters = { timeRange, providers: [provider] };
    return { draft, entity, window: { filters, exclude: undefined, fromMs, toMs } };
  });
}
