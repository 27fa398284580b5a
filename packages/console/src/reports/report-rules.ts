import type { DeclaredReport, ReportSection } from "@sightline/client";

/** The sections of a report in the order of its page, and what they are called. */
export const sectionNames: Readonly<Record<ReportSection, string>> = {
  summary: "Summary",
  course: "Over time",
  changes: "What changed and why",
  portrayal: "Portrayal",
  sources: "Sources and gaps",
  names: "Untracked names",
  prompts: "Prompts",
  notes: "Notes",
  measurement: "How it was measured",
};

/** The languages of reports. */
export const languageNames: Readonly<Record<string, string>> = { en: "English", de: "Deutsch" };

/** The periods that the form offers; a workspace file may have any number of days. */
export const periodNames: Readonly<Record<string, string>> = {
  "last-week": "Last week",
  "last-28-days": "Last 28 days",
  "last-month": "Last month",
  "last-quarter": "Last quarter",
};

/** What a period's rule is called. */
export function periodText(rule: string): string {
  const days = /^last-(\d+)-days$/.exec(rule)?.[1];
  return periodNames[rule] ?? (days === undefined ? rule : `Last ${days} days`);
}

/** The schedules that the form offers, by their cron expression; empty: on request alone. */
export const scheduleNames: Readonly<Record<string, string>> = {
  "": "On request alone",
  "0 6 * * *": "Every day at 06:00 UTC",
  "0 6 * * 1": "Mondays at 06:00 UTC",
  "0 6 1 * *": "On the first of the month at 06:00 UTC",
};

/** What a schedule is called. */
export function scheduleText(schedule: string | undefined): string {
  return scheduleNames[schedule ?? ""] ?? `${schedule} (UTC)`;
}

/** A choice of names with the one that is there, which a file may have and no form offers. */
export function choicesWith(
  names: Readonly<Record<string, string>>,
  value: string,
): readonly (readonly [value: string, text: string])[] {
  const choices = Object.entries(names);
  return value in names ? choices : [...choices, [value, value]];
}

/** The file's name of a report's page: acme-monthly-report-2026-10-01_2026-10-31.html. */
export function pageFileName(
  owner: string,
  name: string,
  { startDate, endDate }: { readonly startDate: string; readonly endDate: string },
): string {
  const words = `${owner} ${name}`.toLowerCase().normalize("NFC");
  const parts = words.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return `${parts.join("-").slice(0, 90)}-${startDate}_${endDate}.html`;
}

/** The declared reports with one that is new or changed; `before` is its name until now. */
export function withReport(
  reports: readonly DeclaredReport[],
  report: DeclaredReport,
  before: string | null,
): DeclaredReport[] {
  if (before === null) return [...reports, report];
  return reports.map((each) => (each.name === before ? report : each));
}
