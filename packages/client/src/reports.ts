import type {
  Report,
  ReportPage,
  ReportRequest,
  ReportsResponse,
  ReportWithNumbers,
} from "@sightline/contract";
import type { Caller } from "./calls.ts";
import type { CallOptions } from "./options.ts";
import { Pages } from "./pages.ts";
import { queryOf } from "./query-of.ts";

/** Which reports are meant. */
export interface ReportSelection {
  readonly name?: string | undefined;
  /** `nextCursor` of a page: from there on. */
  readonly cursor?: string | undefined;
}

/** Reports of the key's account, which are made once and kept: additions to the interface. */
export class Reports {
  readonly #call: Caller;

  constructor(call: Caller) {
    this.#call = call;
  }

  /** Reports that were made, newest first. Awaited: a page; iterated: all of them. */
  list(
    selection: ReportSelection = {},
    options?: CallOptions,
  ): Pages<ReportsResponse, Report, string | undefined> {
    const page = async (cursor = selection.cursor) => {
      const path = `/v1/reports${queryOf({ ...selection, cursor })}` as const;
      return (await this.#call({ method: "GET", path }, options)) as ReportsResponse;
    };
    const next = ({ nextCursor }: ReportsResponse) => nextCursor;
    return new Pages({ first: undefined, fetch: page, items: ({ reports }) => reports, next });
  }

  /**
   * Makes a report of the workspace file and keeps it. The key needs `manage`. It is not retried
   * when it may have arrived.
   */
  async make(request: ReportRequest, options?: CallOptions): Promise<Report> {
    const body = JSON.stringify(request);
    const call = { method: "POST", path: "/v1/reports", body, isOnce: true } as const;
    return (await this.#call(call, options)) as Report;
  }

  /** A report with its numbers. @throws NotFoundError */
  async get(reportId: string, options?: CallOptions): Promise<ReportWithNumbers> {
    const call = { method: "GET", path: `/v1/reports/${encodeURIComponent(reportId)}` } as const;
    return (await this.#call(call, options)) as ReportWithNumbers;
  }

  /**
   * The page of a report: one HTML file.
   * @param asMade also of a superseded report as it was made, without the line that says so.
   * @throws NotFoundError
   */
  async html(
    reportId: string,
    { asMade = false }: { readonly asMade?: boolean } = {},
    options?: CallOptions,
  ): Promise<string> {
    const query = asMade ? "?asMade=true" : "";
    const path = `/v1/reports/${encodeURIComponent(reportId)}/html${query}` as const;
    return ((await this.#call({ method: "GET", path }, options)) as ReportPage).html;
  }
}
