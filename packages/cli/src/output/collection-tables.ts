import type {
  CollectionsResponse,
  ListedCollection,
  ProviderSpend,
  StartedCollection,
} from "@sightline/contract";
import { counted } from "./counted.ts";
import { plainTable } from "./plain-table.ts";
import { safeText } from "./safe-text.ts";

/** What a sweep is expected to use and cost, as a table with its sum below. */
export function estimateText({
  estimates,
  jobs,
  dollars,
  pricesDate,
  unanswered,
  warnings = [],
}: StartedCollection): string {
  const headings = ["provider", "surface", "questions", "calls", "tokens", "searches", "dollars"];
  const rows = estimates.map((each) => [
    ...[each.provider, each.surface, each.jobs, each.calls],
    ...[each.inputTokens + each.outputTokens, each.searches, money(each.dollars)],
  ]);
  const questions = `${jobs} ${jobs === 1 ? "question" : "questions"}`;
  const unsure = estimates.flatMap(({ vendor, verified }) => (verified ? [] : [vendor]));
  return [
    ...(rows.length === 0 ? [] : [plainTable(headings, rows), ""]),
    `${questions}, estimated at $${money(dollars)} by the prices of ${pricesDate}.`,
    ...askableText(estimates),
    ...(unsure.length === 0
      ? []
      : [`Not checked against vendors' own pages: prices of ${[...new Set(unsure)].join(", ")}.`]),
    ...estimates.flatMap(({ provider, vendor, skipped = [] }) =>
      skipped.map(({ vendor: first, reason }) => {
        return safeText(`${provider} is asked of ${vendor} instead of ${first}. ${reason}`);
      }),
    ),
    ...warnings.map((each) => safeText(`Warning: ${each}`)),
    ...unanswered.map((each) => {
      return safeText(`Not asked: ${each.provider}, ${each.jobs} of them. ${each.reason}`);
    }),
  ].join("\n");
}

/** What can be asked of an estimate, where that is not all. */
function askableText(estimates: StartedCollection["estimates"]): readonly string[] {
  const asked = estimates.filter(({ hasCredential }) => hasCredential);
  if (asked.length === estimates.length) return [];
  const jobs = asked.reduce((sum, each) => sum + each.jobs, 0);
  if (jobs === 0) return ["No provider can be queried: no credentials are configured."];
  const dollars = asked.reduce((sum, each) => sum + each.dollars, 0);
  return [`${jobs} of these can be sent, for $${money(dollars)}: the others lack a credential.`];
}

/** How a sweep stands, part by part, with the reasons of failures below. */
export function sweepText({ parts, cancelledAt, ...sweep }: ListedCollection): string {
  const headings = ["provider", "surface", "questions", "answered", "missing", "dollars", "counts"];
  const rows = parts.map((part) => [
    ...[part.provider, part.surface, part.jobs, part.done, part.missing],
    ...[money(part.spentDollars), part.publishedAt === null ? "not yet" : part.publishedAt],
  ]);
  const reasons = parts.flatMap(({ provider, failed }) =>
    failed.map(({ reason, jobs }) => safeText(`${provider}: ${jobs} failed: ${reason}`)),
  );
  const warnings = parts.flatMap(({ provider, warnings: dropped }) =>
    dropped.map(({ reason, answers }) =>
      safeText(`${provider}: sources were dropped from ${counted(answers, "answer")}: ${reason}`),
    ),
  );
  const cancelled = cancelledAt === null ? [] : [`Cancelled at ${cancelledAt}.`];
  const below = [summaryOf(sweep), ...cancelled, ...heldTexts({ parts }), ...reasons];
  below.push(...warnings, ...suspiciousTexts({ id: sweep.id, parts }));
  return [plainTable(headings, rows), "", ...below].join("\n");
}

/** Why parts of a sweep do not count although they have ended, and what to do; empty: they do. */
function suspiciousTexts({ id, parts }: Pick<ListedCollection, "id" | "parts">): readonly string[] {
  return parts.flatMap(({ provider, suspicious }) => {
    if (suspicious.length === 0) return [];
    const told = safeText(`${provider} is held back: ${suspicious.join(" ")}`);
    return [`${told} If the answers are right: sightline collect accept ${id}`];
  });
}

/** What caps hold back of a sweep, a line for each of its parts; empty: nothing. */
export function heldTexts({ parts }: Pick<ListedCollection, "parts">): readonly string[] {
  return parts.flatMap(({ provider, surface, queued, heldUntil }) => {
    if (heldUntil === null) return [];
    const of = `of ${provider} (${surface})`;
    const wait = queued === 1 ? `1 question ${of} waits` : `${queued} questions ${of} wait`;
    return [`A cap of the day is reached: ${wait} until ${heldUntil}.`];
  });
}

/** A sweep in one line, while it is asked. */
export function progressText({ parts, spentDollars }: ListedCollection): string {
  const each = parts.map(({ provider, done, jobs, heldUntil, publishedAt }) => {
    if (publishedAt !== null) return `${provider} ${done}/${jobs} counts`;
    return `${provider} ${done}/${jobs}${heldUntil === null ? "" : ` waits until ${heldUntil}`}`;
  });
  return `${each.join(", ")}; $${money(spentDollars)}`;
}

/** How collection stands: sweeps, vendors, what was spent and what comes next. */
export function statusText({
  collections,
  next,
  collectors,
  vendors,
  spend,
}: CollectionsResponse): string {
  const sweeps = collections.map(({ id, slot, source, done, jobs, spentDollars, endedAt }) => [
    ...[id, slot, source, `${done}/${jobs}`, money(spentDollars), endedAt],
  ]);
  const held = collections.flatMap((sweep) => [...heldTexts(sweep), ...suspiciousTexts(sweep)]);
  const stands = vendors.map(({ vendor, state, until, reason, lastError }) => {
    return [vendor, state, until, reason ?? lastError?.reason ?? null];
  });
  const slots = next.map(({ cron, timeZone, at }) => [at, cron, timeZone]);
  const processes = `${collectors} ${collectors === 1 ? "process collects" : "processes collect"}.`;
  return [
    sweeps.length === 0
      ? "There are no sweeps yet."
      : plainTable(["sweep", "slot", "source", "answered", "dollars", "ended"], sweeps),
    ...(held.length === 0 ? [] : [held.join("\n")]),
    collectors === 0 ? "No process collects: nothing is asked." : processes,
    plainTable(["vendor", "state", "until", "reason or last error"], stands),
    slots.length === 0
      ? "The workspace has no schedule."
      : plainTable(["next", "cron", "time zone"], slots),
    spendText(spend),
  ].join("\n\n");
}

/** Money that was spent, and apart from it what requests without a reply may have cost. */
function spendText({ today, month }: CollectionsResponse["spend"]): string {
  if (month.length === 0) return "Nothing was spent this month.";
  const ofToday = new Map(today.map((each) => [each.provider, each]));
  const rows = month.map((each) => {
    const now = ofToday.get(each.provider);
    return [
      ...[each.provider, now?.calls ?? 0, money(now?.dollars ?? 0)],
      ...[money(now?.unsettledDollars ?? 0), each.calls, money(each.dollars)],
      money(each.unsettledDollars),
    ];
  });
  const headings = [
    ...["provider", "calls today", "dollars today", "may have cost"],
    ...["calls this month", "dollars", "may have cost"],
  ];
  const sum = (of: (spend: ProviderSpend) => number) =>
    month.reduce((total, each) => total + of(each), 0);
  const [reserved, assumed] = [
    sum((each) => each.reservedDollars),
    sum((each) => each.assumedDollars),
  ];
  return [
    plainTable(headings, rows),
    ...(reserved === 0 ? [] : [`Requests under way may cost up to $${money(reserved)} more.`]),
    ...(assumed === 0
      ? []
      : [`$${money(assumed)} of this month is assumed: a usage or price is unknown.`]),
  ].join("\n");
}

function summaryOf({
  jobs,
  done,
  missing,
  endedAt,
  spentDollars,
}: Pick<ListedCollection, "jobs" | "done" | "missing" | "endedAt" | "spentDollars">): string {
  const spent = `$${money(spentDollars)} was spent.`;
  if (endedAt === null) return `${done} of ${jobs} questions are answered so far. ${spent}`;
  if (missing === 0) return `All ${jobs} questions are answered, and count. ${spent}`;
  return `${done} of ${jobs} questions are answered, and count; ${missing} are missing. ${spent}`;
}

/** Dollars with at least two decimals, and four below a dollar. */
function money(dollars: number): string {
  return dollars.toFixed(dollars !== 0 && dollars < 1 ? 4 : 2);
}
