import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { dayMs, type ReportLanguage, reportsPerDayMax } from "@sightline/contract";
import { appendAudit } from "../audit/audit-log.ts";
import { actingFor, type ControlEngine } from "../control/control-engine.ts";
import type { ControlDatabase } from "../control/database.ts";
import type { ControlTables } from "../control/schema.ts";
import type { Actor } from "../platform/actor.ts";
import { ServiceError } from "../platform/service-error.ts";
import type { ReportDates, ReportNumbers } from "./asked-report.ts";

/** A report that was made; its page and numbers are read apart. Times in milliseconds. */
export interface ReportRecord {
  readonly id: string;
  readonly name: string;
  readonly period: ReportDates;
  readonly compareWith: ReportDates | null;
  readonly language: ReportLanguage;
  readonly madeAt: number;
  /** The slot of its schedule; null: it was asked for. */
  readonly dueAt: number | null;
  readonly actor: Actor;
  readonly htmlBytes: number;
  readonly htmlSha256: string;
  readonly supersededBy: string | null;
}

/** A report to keep. */
export type NewReport = Pick<
  ReportRecord,
  "id" | "name" | "period" | "compareWith" | "language" | "madeAt" | "dueAt" | "actor"
> & { readonly numbers: ReportNumbers; readonly html: string };

/** Which reports a page has. */
export interface ReportSelection {
  /** Null: all. */
  readonly name: string | null;
  /** The last report of the page before; null: the first page. */
  readonly after: Pick<ReportRecord, "madeAt" | "id"> | null;
  readonly limit: number;
}

const listed = [
  ...(["id", "name", "start_date", "end_date", "compare_start_date", "compare_end_date"] as const),
  ...(["language", "made_at", "due_at", "actor"] as const),
  ...(["html_bytes", "html_sha256", "superseded_by"] as const),
] as const;

type ListedRow = Pick<ControlTables["reports"], (typeof listed)[number]>;

/** Tells others of a report, in the transaction that keeps it. */
export type TellReport = (
  within: ControlEngine,
  accountId: string,
  report: ReportRecord,
) => Promise<void>;

/**
 * Keeps a report, and supersedes earlier ones of its name and period, in one transaction with the
 * entries of the audit log.
 * @returns null: a report of this schedule's slot is there already, and nothing was written.
 * @throws ServiceError quota_exhausted when others used up its day while it was made.
 */
export async function addReport(
  engine: ControlEngine,
  accountId: string,
  report: NewReport,
  tell: TellReport,
): Promise<ReportRecord | null> {
  const row = await rowOf(accountId, report);
  const control = actingFor(engine, report.actor);
  return control.database.transaction().execute(async (database) => {
    await control.lock(database, { account: accountId });
    if (report.dueAt === null) await refuseManyAsked({ database }, accountId, report.madeAt);
    const inserted = await database
      .insertInto("reports")
      .values(row)
      .onConflict((conflict) => conflict.columns(["account_id", "name", "due_at"]).doNothing())
      .executeTakeFirst();
    if ((inserted.numInsertedOrUpdatedRows ?? 0n) === 0n) return null;
    const within = { ...control, database };
    const record = toRecord(row);
    const { id, name, period, dueAt, htmlSha256, madeAt } = record;
    const after = { name, ...period, dueAt: instantText(dueAt), htmlSha256 };
    const made = { action: "report.made", subject: id, before: null, after } as const;
    const earlier = await supersede(database, accountId, record);
    await tell(within, accountId, record);
    await appendAudit(within, accountId, made, madeAt);
    for (const each of earlier) {
      const change = { before: { supersededBy: null }, after: { supersededBy: id } };
      await appendAudit(
        within,
        accountId,
        { action: "report.superseded", subject: each, ...change },
        madeAt,
      );
    }
    return record;
  });
}

/** @returns the ids of the reports that this one supersedes. */
async function supersede(
  database: ControlDatabase,
  accountId: string,
  { id, name, period }: ReportRecord,
): Promise<readonly string[]> {
  const rows = await database
    .updateTable("reports")
    .set({ superseded_by: id })
    .where("account_id", "=", accountId)
    .where("name", "=", name)
    .where("start_date", "=", period.startDate)
    .where("end_date", "=", period.endDate)
    .where("superseded_by", "is", null)
    .where("id", "!=", id)
    .returning("id")
    .execute();
  return rows.map((row) => row.id).toSorted();
}

async function rowOf(accountId: string, report: NewReport): Promise<ControlTables["reports"]> {
  const { id, name, period, compareWith, language, madeAt, dueAt, actor } = report;
  const bytes = Buffer.from(report.html, "utf8");
  return {
    account_id: accountId,
    id,
    name,
    start_date: period.startDate,
    end_date: period.endDate,
    compare_start_date: compareWith?.startDate ?? null,
    compare_end_date: compareWith?.endDate ?? null,
    language,
    made_at: madeAt,
    due_at: dueAt,
    actor: JSON.stringify(actor),
    numbers: JSON.stringify(report.numbers),
    html: await promisify(gzip)(bytes),
    html_bytes: bytes.length,
    html_sha256: createHash("sha256").update(bytes).digest("hex"),
    superseded_by: null,
  };
}

/** Reports of an account, the newest first. */
export async function reportsOf(
  { database }: ControlEngine,
  accountId: string,
  { name, after, limit }: ReportSelection,
): Promise<readonly ReportRecord[]> {
  let rows = database.selectFrom("reports").select(listed).where("account_id", "=", accountId);
  if (name !== null) rows = rows.where("name", "=", name);
  if (after !== null) {
    const { madeAt, id } = after;
    rows = rows.where(({ eb, and, or }) =>
      or([eb("made_at", "<", madeAt), and([eb("made_at", "=", madeAt), eb("id", "<", id)])]),
    );
  }
  const found = await rows.orderBy("made_at", "desc").orderBy("id", "desc").limit(limit).execute();
  return found.map(toRecord);
}

/** A report; null: the account has none with this id. */
export async function reportById(
  { database }: ControlEngine,
  accountId: string,
  reportId: string,
): Promise<ReportRecord | null> {
  const rows = database.selectFrom("reports").select(listed).where("account_id", "=", accountId);
  const row = await rows.where("id", "=", reportId).executeTakeFirst();
  return row === undefined ? null : toRecord(row);
}

/** What a report shows, as JSON; null: the account has no such report. */
export async function numbersOf(
  { database }: ControlEngine,
  accountId: string,
  reportId: string,
): Promise<string | null> {
  const rows = database.selectFrom("reports").select("numbers").where("account_id", "=", accountId);
  return (await rows.where("id", "=", reportId).executeTakeFirst())?.numbers ?? null;
}

/** Whether a report's page quotes answers; false, too: the account has no such report. */
export async function quotesAnswers(
  control: ControlEngine,
  accountId: string,
  reportId: string,
): Promise<boolean> {
  const json = await numbersOf(control, accountId, reportId);
  const { quotes = null } = JSON.parse(json ?? "{}") as Partial<ReportNumbers>;
  return quotes !== null && quotes.length > 0;
}

/** A report's page, as it was made; null: the account has no such report. */
export async function pageOf(
  { database }: ControlEngine,
  accountId: string,
  reportId: string,
): Promise<string | null> {
  const row = await database
    .selectFrom("reports")
    .select(["html", "html_bytes"])
    .where("account_id", "=", accountId)
    .where("id", "=", reportId)
    .executeTakeFirst();
  return row === undefined ? null : (await unpackedHtml(row)).toString("utf8");
}

/** A stored page as it was made. @throws when it is damaged, or longer than it was. */
export function unpackedHtml({
  html,
  html_bytes: bytes,
}: Pick<ControlTables["reports"], "html" | "html_bytes">): Promise<Buffer> {
  return promisify(gunzip)(html, { maxOutputLength: bytes });
}

/** Whether a report of this schedule's slot is there. */
export async function hasReportDue(
  { database }: ControlEngine,
  accountId: string,
  { name, dueAt }: { readonly name: string; readonly dueAt: number },
): Promise<boolean> {
  const rows = database.selectFrom("reports").select("id").where("account_id", "=", accountId);
  const row = await rows.where("name", "=", name).where("due_at", "=", dueAt).executeTakeFirst();
  return row !== undefined;
}

/**
 * Refuses a report that is asked for when its UTC day has as many already. Asked before a report
 * is made, it saves the work; within the transaction that keeps one, it holds.
 * @param atMs when the report is made. @throws ServiceError quota_exhausted.
 */
export async function refuseManyAsked(
  { database }: Pick<ControlEngine, "database">,
  accountId: string,
  atMs: number,
): Promise<void> {
  const dayStart = atMs - (atMs % dayMs);
  const { count } = await database
    .selectFrom("reports")
    .select(({ fn }) => fn.countAll<number | bigint | string>().as("count"))
    .where("account_id", "=", accountId)
    .where("made_at", ">=", dayStart)
    .where("made_at", "<", dayStart + dayMs)
    .where("due_at", "is", null)
    .executeTakeFirstOrThrow();
  if (Number(count) < reportsPerDayMax) return;
  const detail =
    `The account has made ${reportsPerDayMax} reports today, as many as it may on request. ` +
    "Retry after midnight, UTC.";
  const seconds = Math.ceil((dayStart + dayMs - atMs) / 1_000);
  const headers = { "Retry-After": String(seconds) };
  throw new ServiceError("quota_exhausted", detail, { headers });
}

function instantText(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

function toRecord(row: ListedRow): ReportRecord {
  const { compare_start_date: startDate, compare_end_date: endDate } = row;
  return {
    id: row.id,
    name: row.name,
    period: { startDate: row.start_date, endDate: row.end_date },
    compareWith: startDate === null || endDate === null ? null : { startDate, endDate },
    language: row.language,
    madeAt: row.made_at,
    dueAt: row.due_at,
    actor: JSON.parse(row.actor) as Actor,
    htmlBytes: row.html_bytes,
    htmlSha256: row.html_sha256,
    supersededBy: row.superseded_by,
  };
}
