import {
  type DeclaredReport,
  pageReportsMax,
  quoted,
  type Report,
  type ReportPage,
  type ReportRequest,
  type ReportsResponse,
  type ReportWithNumbers,
  reportDaysMax,
  reportRequestSchema,
} from "@sightline/contract";
import { declaredReportsOf } from "../accounts/account-store.ts";
import { validated } from "../http/body.ts";
import { questionSignal } from "../http/in-flight-calls.ts";
import { type Change, declared, jsonReply, type List, type Operation } from "../http/operation.ts";
import {
  pageSizeOf,
  parametersOf,
  refusedCursor,
  refusedParameter,
} from "../http/query-parameters.ts";
import { ServiceError } from "../platform/service-error.ts";
import type { ReportDates } from "./asked-report.ts";
import { shownPageOf } from "./kept-page.ts";
import { type MakingServices, makeReport } from "./make-report.ts";
import { comparedOf, daysOf, periodOf } from "./report-period.ts";
import {
  numbersOf,
  pageOf,
  type ReportRecord,
  refuseManyAsked,
  reportById,
  reportsOf,
} from "./report-store.ts";
import type { ScheduledReports } from "./scheduled-reports.ts";

/** What reports are made and listed with. */
export interface ReportServices extends MakingServices {
  readonly scheduledReports: ScheduledReports;
}

const reportsRoute: List<ReportServices> = {
  ...declared("reports"),
  kind: "list",
  reply: async ({ control }, { caller, query }) => {
    const { name, limit, cursor } = parametersOf(query, ["name", "limit", "cursor"]);
    const size = pageSizeOf(limit, pageReportsMax);
    const after = cursor === undefined ? null : readCursor(cursor);
    const selection = { name: name ?? null, after, limit: size + 1 };
    const found = await reportsOf(control, caller.accountId, selection);
    const page = found.slice(0, size);
    const last = found.length > size ? page.at(-1) : undefined;
    const nextCursor = last === undefined ? null : `${last.madeAt}.${last.id}`;
    return jsonReply({ reports: page.map(listedReport), nextCursor } satisfies ReportsResponse);
  },
};

/** A cursor is the time and the id of the last report on the page before. */
function readCursor(text: string): Pick<ReportRecord, "madeAt" | "id"> {
  const [, madeAt, id] = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(text) ?? [];
  if (madeAt === undefined || id === undefined) throw refusedCursor();
  return { madeAt: Number(madeAt), id };
}

const makeReportRoute: Change<ReportServices> = {
  ...declared("makeReport"),
  kind: "change",
  reply: async (services, { caller, actor, body, ended }) => {
    const request = validated(reportRequestSchema, body);
    const { accountId } = caller;
    const { control, clock, config } = services;
    const report = await reportNamed(services, accountId, request.report);
    const period = periodOfRequest(request, report, clock.now());
    const compareWith = comparedOf(report.compare, period);
    if (compareWith !== null && "refused" in compareWith) {
      throw invalid(["period"], "not_allowed", compareWith.refused);
    }
    await refuseManyAsked(control, accountId, clock.now());
    const over = AbortSignal.any([services.scheduledReports.stopping, ended]);
    const { signal, done } = questionSignal(over, 6 * config.questionSeconds);
    const asked = { declared: report, period, compareWith, dueAt: null, actor };
    const made = await makeReport(services, accountId, asked, signal).finally(done);
    if (made === null) throw new Error("a report without a slot was there already");
    return jsonReply(listedReport(made));
  },
};

async function reportNamed(
  { control }: ReportServices,
  accountId: string,
  name: string,
): Promise<DeclaredReport> {
  const reports = await declaredReportsOf(control, accountId);
  const report = reports.find((each) => each.name === name);
  if (report !== undefined) return report;
  const names = reports.map((each) => quoted(each.name)).join(", ");
  const known = reports.length === 0 ? "It declares none." : `It declares ${names}.`;
  const detail = `The workspace declares no report ${quoted(name)}. ${known}`;
  throw new ServiceError("not_found", detail);
}

function periodOfRequest(
  { period }: ReportRequest,
  report: DeclaredReport,
  nowMs: number,
): ReportDates {
  if (period === undefined) return periodOf(report.period, nowMs);
  const { startDate, endDate } = period;
  if (startDate > endDate) {
    const message = `must be on or after startDate ${startDate}, got ${quoted(endDate)}.`;
    throw invalid(["period", "endDate"], "wrong_order", message);
  }
  const days = daysOf(period);
  if (days <= reportDaysMax) return period;
  const message = `must have at most ${reportDaysMax} days, got ${days}.`;
  throw invalid(["period"], "too_large", message);
}

function invalid(
  path: readonly string[],
  code: "not_allowed" | "wrong_order" | "too_large",
  message: string,
): ServiceError {
  const pointer = `/${path.join("/")}`;
  const errors = [{ path: pointer, code, message }];
  return new ServiceError("invalid_request", `${pointer}: ${message}`, { errors });
}

const reportRoute: List<ReportServices> = {
  ...declared("report"),
  kind: "list",
  reply: async ({ control }, { caller, parameters }) => {
    const { reportId = "" } = parameters;
    const report = await recordOf(control, caller.accountId, reportId);
    const json = await numbersOf(control, caller.accountId, report.id);
    const numbers = JSON.parse(json ?? "{}") as ReportWithNumbers["numbers"];
    return jsonReply({ ...listedReport(report), numbers } satisfies ReportWithNumbers);
  },
};

const reportPageRoute: List<ReportServices> = {
  ...declared("reportPage"),
  kind: "list",
  reply: async ({ control }, { caller, parameters, query }) => {
    const { reportId = "" } = parameters;
    const isAsMade = isTrue(parametersOf(query, ["asMade"]).asMade);
    const report = await recordOf(control, caller.accountId, reportId);
    const html = isAsMade
      ? ((await pageOf(control, caller.accountId, report.id)) ?? "")
      : await shownPageOf(control, caller.accountId, report);
    return jsonReply({ html } satisfies ReportPage);
  },
};

function isTrue(text = "false"): boolean {
  if (text === "true" || text === "false") return text === "true";
  const message = `must be true or false, got ${quoted(text)}.`;
  throw refusedParameter("asMade", "not_allowed", message);
}

/** A report of another account gets the same reply as an unknown one. */
async function recordOf(
  control: ReportServices["control"],
  accountId: string,
  id: string,
): Promise<ReportRecord> {
  const report = await reportById(control, accountId, id.toLowerCase());
  if (report !== null) return report;
  throw new ServiceError("not_found", `The account has no report ${quoted(id)}.`);
}

function listedReport({ madeAt, dueAt, actor, ...report }: ReportRecord): Report {
  return {
    id: report.id,
    name: report.name,
    period: report.period,
    compareWith: report.compareWith,
    language: report.language,
    madeAt: new Date(madeAt).toISOString(),
    dueAt: dueAt === null ? null : new Date(dueAt).toISOString(),
    actor,
    htmlBytes: report.htmlBytes,
    htmlSha256: report.htmlSha256,
    supersededBy: report.supersededBy,
  };
}

/** The operations on reports. */
export const reportOperations: readonly Operation<ReportServices>[] = [
  reportsRoute,
  makeReportRoute,
  reportRoute,
  reportPageRoute,
];
