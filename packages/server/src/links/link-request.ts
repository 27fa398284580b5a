import {
  durationMs,
  type FieldError,
  type LinkKind,
  type LinkRequest,
  type LinkView,
  linkViewCharactersMax,
  pagesOfKind,
  quoted,
  type ViewLinkKind,
} from "@sightline/contract";
import type { ControlEngine } from "../control/control-engine.ts";
import { quotesAnswers, reportById } from "../reports/report-store.ts";

/** What is requested of a new link; `expiresAt` in milliseconds since 1970, null: never. */
export type LinkProperties = Omit<LinkRequest, "expiresIn"> & {
  readonly expiresAt: number | null;
};

/** The refusal of one link more than an account may have. */
export const manyLinks = "The account has as many valid links as it may have. Revoke one first.";

/** The last millisecond of the year 9999: later instants are not date-times. */
const lastMs = 253_402_300_799_999;

/**
 * What a request asks for.
 * @returns `faults`: what is wrong with it in addition to what its schema says.
 */
export async function readLinkRequest(
  control: ControlEngine,
  accountId: string,
  request: LinkRequest,
  now: number,
): Promise<{ readonly faults: readonly FieldError[] } | { readonly properties: LinkProperties }> {
  const { expiresIn, ...wanted } = request;
  const lasts = expiresIn === undefined || expiresIn === null ? null : durationMs(expiresIn);
  const expiresAt = lasts === null ? null : now + lasts;
  const { kind } = request;
  const found = [
    ...(kind === "report" ? faultsOfReportLink(request) : faultsOfViewLink(kind, request)),
    expiresAt !== null &&
      expiresAt > lastMs && {
        path: "/expiresIn",
        code: "too_large" as const,
        message: "must end by the year 9999.",
      },
  ];
  const faults = found.filter((fault) => fault !== false);
  if (faults.length > 0) return { faults };
  if (kind !== "report") return { properties: { ...wanted, expiresAt } };
  const reportId = (request.reportId ?? "").toLowerCase();
  const report = await reportById(control, accountId, reportId);
  if (report === null) return { faults: [unknownReport(reportId)] };
  const showsEvidence = await quotesAnswers(control, accountId, reportId);
  return { properties: { ...wanted, reportId, showsEvidence, expiresAt } };
}

type Faults = readonly (FieldError | false)[];

function faultsOfViewLink(kind: ViewLinkKind, request: LinkRequest): Faults {
  const { view, reportId, password, showsEvidence = false } = request;
  const isPage = kind === "view";
  return [
    ...(view === undefined ? [missing("/view", kind)] : faultsOfView(kind, view)),
    reportId !== undefined && ofOtherKinds("/reportId", kind),
    !isPage && password !== undefined && ofPagesAlone("/password", "no password: nobody types one"),
    !isPage && showsEvidence && ofPagesAlone("/showsEvidence", "no texts of answers"),
  ];
}

function faultsOfView(kind: ViewLinkKind, view: LinkView): Faults {
  const pages = pagesOfKind[kind];
  const characters = JSON.stringify(view).length;
  return [
    !pages.includes(view.page) && {
      path: "/view/page",
      code: "not_allowed",
      message: `must be ${pages.join(" or ")} for the kind ${kind}, got ${view.page}.`,
    },
    characters > linkViewCharactersMax && {
      path: "/view",
      code: "too_large",
      message: `must have at most ${linkViewCharactersMax} characters as JSON, got ${characters}.`,
    },
  ];
}

/** A report shows what it was made with: neither a view nor the link can change that. */
function faultsOfReportLink({ view, reportId, showsEvidence }: LinkRequest): Faults {
  return [
    reportId === undefined && missing("/reportId", "report"),
    view !== undefined && ofOtherKinds("/view", "report"),
    showsEvidence !== undefined && ofOtherKinds("/showsEvidence", "report"),
  ];
}

function missing(path: string, kind: LinkKind): FieldError {
  return { path, code: "missing", message: `is required for the kind ${kind}.` };
}

function ofOtherKinds(path: string, kind: LinkKind): FieldError {
  const message = `is not a field of the kind ${kind}. Leave it out.`;
  return { path, code: "not_allowed", message };
}

function ofPagesAlone(path: string, has: string): FieldError {
  const message = `A table and a picture have ${has}. Leave it out, or use the kind view.`;
  return { path, code: "not_allowed", message };
}

function unknownReport(reportId: string): FieldError {
  const message = `must be the id of a report that the account made, got ${quoted(reportId)}.`;
  return { path: "/reportId", code: "not_allowed", message };
}

/** Where a link of this kind leads, below the service's own address. */
export function linkPath(kind: LinkKind, token: string): string {
  const rest = { view: "", csv: "/csv", image: "/image.svg", report: "" }[kind];
  return `/share/${token}${rest}`;
}
