import type { ControlEngine } from "../control/control-engine.ts";
import { withBanner } from "./page/page.ts";
import { pageOf, type ReportRecord, reportById } from "./report-store.ts";

/** A report's page for its readers: one that was superseded begins with a line that says so. */
export async function shownPageOf(
  control: ControlEngine,
  accountId: string,
  { id, supersededBy, language }: ReportRecord,
): Promise<string> {
  const page = (await pageOf(control, accountId, id)) ?? "";
  const newer = supersededBy === null ? null : await reportById(control, accountId, supersededBy);
  return newer === null ? page : withBanner(page, language, newer.madeAt);
}
