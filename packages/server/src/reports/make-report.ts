import { randomUUID } from "node:crypto";
import { type DeclaredReport, reportSections } from "@sightline/contract";
import type { DeclaredPart } from "../accounts/declared-workspaces.ts";
import { progressOf } from "../accounts/progress-store.ts";
import type { Actor } from "../platform/actor.ts";
import type { Clock } from "../platform/clock.ts";
import { retryWhileLocked } from "../platform/retry-while-locked.ts";
import type { AskingServices } from "../questions/inner-asking.ts";
import type { AskedReport, ReportDates, ReportFilters } from "./asked-report.ts";
import { addReport, type ReportRecord, type TellReport } from "./report-store.ts";
import { writeReport } from "./write-report.ts";

/** What reports are made with. */
export interface MakingServices extends AskingServices {
  readonly clock: Clock;
  readonly tellReport: TellReport;
}

/** What a report is made of, and for whom. */
export interface ReportToMake {
  readonly declared: DeclaredReport;
  readonly period: ReportDates;
  readonly compareWith: ReportDates | null;
  /** The slot of its schedule; null: it was asked for. */
  readonly dueAt: number | null;
  readonly actor: Actor;
}

/**
 * Makes a report of an account, and keeps it.
 * @returns null: a report of this slot is there already.
 * @throws ServiceError as the questions do; quota_exhausted; or the signal's reason: nothing is
 * kept then.
 */
export async function makeReport(
  services: MakingServices,
  accountId: string,
  { declared, period, compareWith, dueAt, actor }: ReportToMake,
  signal: AbortSignal,
): Promise<ReportRecord | null> {
  const { control, clock, tellReport } = services;
  const madeAt = clock.now();
  const language = declared.language ?? "en";
  const asked: AskedReport = {
    ...period,
    compareWith,
    title: declared.name,
    subtitle: declared.subtitle ?? null,
    sections: declared.sections ?? reportSections,
    filters: await filtersOf(services, accountId, declared.filters ?? {}),
    showsEvidence: declared.evidence ?? false,
    language,
    logo: declared.logo ?? null,
    colour: declared.colour ?? null,
    note: declared.note ?? null,
    madeAt,
  };
  const questionSeconds = questionsTogether * services.config.questionSeconds;
  const asking = { ...services, config: { questionSeconds } };
  const { numbers, html } = await writeReport(asking, accountId, asked, signal);
  signal.throwIfAborted();
  const kept = { id: randomUUID(), name: declared.name, period, compareWith, language };
  const report = { ...kept, madeAt, dueAt, actor, numbers, html };
  // It took seconds to make: a file that another process writes just then is waited for.
  return retryWhileLocked(() => addReport(control, accountId, report, tellReport));
}

/** A report asks so many questions side by side: each may take as long as all of them. */
const questionsTogether = 6;

/** In the place of a topic that is gone: without it, all answers would pass. */
const noTopic = "00000000-0000-0000-0000-000000000000";

/** The filters of questions that a report's names mean today. */
async function filtersOf(
  { control, workspaces }: MakingServices,
  accountId: string,
  { topics, regions, ...rest }: NonNullable<DeclaredReport["filters"]>,
): Promise<ReportFilters> {
  const named = topics === undefined || topics.length === 0 ? null : topics;
  const ids = named === null ? null : idsOf(named, await partOf(workspaces, control, accountId));
  return {
    ...rest,
    ...(ids === null ? {} : { topics: ids.map((id) => ({ id })) }),
    ...(regions === undefined ? {} : { regions: regions.map((code) => ({ code })) }),
  };
}

async function partOf(
  workspaces: MakingServices["workspaces"],
  control: MakingServices["control"],
  accountId: string,
): Promise<DeclaredPart> {
  const revision = (await progressOf(control, accountId))?.revision ?? null;
  return (await workspaces.of(accountId, revision)).part;
}

function idsOf(names: readonly string[], { topics }: DeclaredPart): readonly string[] {
  const known = new Map(topics.map(({ id, name }) => [name, id]));
  return [...new Set(names.map((name) => known.get(name) ?? noTopic))];
}
