import type { ReportSection, WorkspaceResponse } from "@sightline/contract";
import { questionSignal } from "../http/in-flight-calls.ts";
import { ServiceError } from "../platform/service-error.ts";
import { type AskingServices, InnerAsking } from "../questions/inner-asking.ts";
import { workspaceNow } from "../questions/workspace.ts";
import type { AskedReport, ReportDates, ReportNumbers, SectionFault } from "./asked-report.ts";
import { filterTexts } from "./filter-texts.ts";
import { reportPage } from "./page/page.ts";
import {
  askChanges,
  askCourse,
  askMeasurement,
  askNames,
  askPrompts,
  askQuotes,
  askSources,
  askSummary,
} from "./section-questions.ts";

const notesMax = 40;

/** A report that was written. */
export interface WrittenReport {
  /** Everything that it shows. */
  readonly numbers: ReportNumbers;
  /** The page. */
  readonly html: string;
}

/**
 * Asks what a report shows, and writes its page.
 * @throws ServiceError as the questions do; a section that alone could not be answered says so.
 */
export async function writeReport(
  services: AskingServices,
  accountId: string,
  asked: AskedReport,
  signal: AbortSignal,
): Promise<WrittenReport> {
  const numbers = await reportNumbers(new InnerAsking(services, accountId, signal), asked);
  return { numbers, html: reportPage(asked, numbers) };
}

/** Asks everything that a report shows, side by side. @throws ServiceError */
async function reportNumbers(asking: InnerAsking, asked: AskedReport): Promise<ReportNumbers> {
  const leftOut: Partial<Record<ReportSection, SectionFault>> = {};
  const section = async <Value>(name: ReportSection, ask: () => Promise<Value>) => {
    if (!asked.sections.includes(name)) return null;
    try {
      return await ask();
    } catch (error) {
      const fault = faultOf(name, error);
      if (fault === null) throw error;
      leftOut[name] = fault;
      return null;
    }
  };
  const workspace = await workspaceOf(asking);
  const { brand } = workspace;
  const summarized = askSummary(asking, asked);
  const showsQuotes = asked.showsEvidence && asked.sections.includes("portrayal");
  const [summary, course, changes, quotes, sources, names, prompts, measurement] =
    await Promise.all([
      summarized,
      section("course", () => askCourse(asking, asked)),
      section("changes", async () => askChanges(asking, asked, (await summarized).found)),
      showsQuotes ? askQuotes(asking, asked, brand.id) : null,
      section("sources", () => askSources(asking, asked)),
      section("names", () => askNames(asking, asked)),
      section("prompts", () => askPrompts(asking, asked, brand.id)),
      section("measurement", () => askMeasurement(asking, asked, brand.id)),
    ]);
  const { found, empty } = summary;
  const { startDate, endDate, compareWith, language } = asked;
  const listed = new Set(found.entities.map(({ id }) => id));
  return {
    period: { startDate, endDate },
    compareWith,
    madeAt: new Date(asked.madeAt).toISOString(),
    brand,
    filters: filterTexts(asked.filters, workspace, language),
    sampleAnswers: workspace.answers.samples?.count ?? 0,
    empty,
    summary: found,
    course: course && { ...course, series: course.series.filter(({ id }) => listed.has(id)) },
    changes,
    quotes,
    sources,
    names,
    prompts,
    notes: await section("notes", async () => notesWithin(workspace, asked)),
    measurement,
    leftOut,
  };
}

/** Why a section is left out of a report that is made all the same; null: the report fails. */
function faultOf(name: ReportSection, error: unknown): SectionFault | null {
  if (!(error instanceof ServiceError)) return null;
  // Facts have no names until somebody asks for some: reading them takes minutes.
  if (name === "names" && error.code === "facts_not_ready") return "notReady";
  // A table of more prompts than a summary may have groups.
  if (name === "prompts" && error.code === "invalid_request") return "tooLarge";
  return null;
}

async function workspaceOf({ services, accountId, signal: over }: InnerAsking) {
  const { signal, done } = questionSignal(over, services.config.questionSeconds);
  return workspaceNow(services, accountId, signal).finally(done);
}

function notesWithin({ notes = [] }: WorkspaceResponse, { startDate, endDate }: ReportDates) {
  return notes.filter(({ date }) => date >= startDate && date <= endDate).slice(-notesMax);
}
