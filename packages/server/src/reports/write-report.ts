import { type AskingServices, InnerAsking } from "../questions/inner-asking.ts";
import type { AskedReport, ReportNumbers } from "./asked-report.ts";
import { reportPage } from "./page/page.ts";
import { reportNumbers } from "./report-numbers.ts";

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
