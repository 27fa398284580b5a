import {
  type LinkKind,
  linkCallsPerSecond,
  linkPasswordsPerSecond,
  type ViewLinkKind,
} from "@sightline/contract";
import { progressOf } from "../accounts/progress-store.ts";
import type {
  CallerKey,
  Operation,
  Reply,
  SharedCall,
  SharedOperation,
} from "../http/operation.ts";
import { cookiesNamed } from "../keys/console/session-cookie.ts";
import type { Limits } from "../keys/limits/limits.ts";
import type { Clock } from "../platform/clock.ts";
import { QueryQueue } from "../platform/query-queue.ts";
import { ServiceError } from "../platform/service-error.ts";
import { untilAborted } from "../platform/until-aborted.ts";
import type { AskingServices } from "../questions/inner-asking.ts";
import { shownPageOf } from "../reports/kept-page.ts";
import { reportById } from "../reports/report-store.ts";
import { csvOfLink, imageOfLink, isOfView, pageOfLink, type ViewLink } from "./link-contents.ts";
import { failurePage, passwordPage } from "./link-pages.ts";
import { isPassword } from "./link-password.ts";
import type { LinkRecord } from "./link-store.ts";
import type { Links } from "./links.ts";

/** What shared addresses are answered with. */
export interface SharedServices extends AskingServices {
  readonly links: Links;
  readonly limits: Limits;
  readonly clock: Clock;
}

/** Of every reply below /share: kept by nobody, found by no search engine, framed by no page. */
const sharedFields = {
  "Cache-Control": "no-store",
  "Content-Security-Policy":
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; " +
    "base-uri 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Frame-Options": "DENY", // for browsers that do not know frame-ancestors
  "X-Robots-Tag": "noindex, nofollow",
} as const;

/** A page of another site may show a picture. */
const imageFields = { ...sharedFields, "Cross-Origin-Resource-Policy": "cross-origin" };

const html = "text/html; charset=utf-8";

/** Pages that are made: one of an account's at a time, so that its own questions go on. */
const making = new QueryQueue({ running: 4, runningPerAccount: 1, waitingPerAccount: 32 });
/** Passwords that are hashed, which takes 16 MiB each. */
const hashing = new QueryQueue({ running: 2, runningPerAccount: 1, waitingPerAccount: 16 });

/** What each kind of view is made of. */
const contents: Readonly<Record<ViewLinkKind, typeof pageOfLink>> = {
  view: pageOfLink,
  csv: csvOfLink,
  image: imageOfLink,
};

const contentTypes: Readonly<Record<LinkKind, string>> = {
  view: html,
  csv: "text/csv; charset=utf-8; header=present",
  image: "image/svg+xml",
  report: html,
};

/** Pages for people, which may have a password. */
const pageKinds = ["view", "report"] as const;

function contentRoute(path: string, kinds: readonly LinkKind[]): SharedOperation<SharedServices> {
  return {
    kind: "shared",
    method: "GET",
    path,
    hasForm: false,
    failure,
    reply: async (services, call) => {
      const link = await openLink(services, call, kinds);
      const { kind } = link;
      await call.take(callerOf(link, linkCallsPerSecond));
      if (!mayPass(services.links, link, call)) return form({ isWrong: false });
      const body = isOfView(link)
        ? await viewOf(services, call, link)
        : await untilAborted(reportOf(services, link), endOfLink(services, call, link));
      await services.links.noteUse(link);
      const headers = kind === "image" ? imageFields : sharedFields;
      return { contentType: contentTypes[kind], body, headers };
    },
  };
}

/** POST of the form: the browser gets a pass in a cookie, and asks for the page again. */
const passwordRoute: SharedOperation<SharedServices> = {
  kind: "shared",
  method: "POST",
  path: "/share/:token",
  hasForm: true,
  failure,
  reply: async (services, call) => {
    const link = await openLink(services, call, pageKinds);
    const { passwordHash, accountId, id } = link;
    const location = `/share/${call.parameters["token"]}`;
    if (passwordHash === null) return seeOther(location);
    const guesses = callerOf({ ...link, id: `${id} password` }, linkPasswordsPerSecond);
    await services.limits.take(guesses);
    const password = call.form?.get("password") ?? "";
    const isRight = await services.limits.failedExchanges.lookUp(call.address, async () => {
      const check = () => isPassword(password, passwordHash);
      const { signal } = new AbortController();
      return (await hashing.run(accountId, signal, check)) ? true : null;
    });
    if (isRight === null) return form({ isWrong: true });
    return seeOther(location, passCookie(services.links.passOf(link), location, call));
  },
};

/**
 * The link of a call's token. One that is unknown counts as a guess of its address, as an unknown
 * key does; one that has ended does not: its reader was given it.
 * @throws ServiceError not_found, in the same words whatever is wrong with it.
 */
async function openLink(
  { links, limits }: SharedServices,
  { parameters, address }: SharedCall,
  kinds: readonly LinkKind[],
): Promise<LinkRecord> {
  const { token = "" } = parameters;
  const link = await limits.failedExchanges.lookUp(address, () => links.find(token));
  const isOfKind = link !== null && kinds.includes(link.kind);
  if (isOfKind && (await links.stateOf(link)) === "valid") return link;
  throw nothing();
}

function nothing(): ServiceError {
  return new ServiceError("not_found", "There is nothing at this address.");
}

/** A link counts its calls against limits of its own: nobody's key has fewer left. */
function callerOf(link: LinkRecord, ratePerSecond: number): CallerKey {
  const { id, name, accountId } = link;
  return { kind: "link", id, name, accountId, scopes: [], ratePerSecond, dailyQuota: "off" };
}

/** Aborts when the call has to end, as when its link is revoked. */
function endOfLink({ links }: SharedServices, call: SharedCall, link: LinkRecord): AbortSignal {
  return call.endedUnless(() => links.isStillGood(link));
}

/** The page of the report that a link shows, which needs no question and no facts. */
async function reportOf({ control }: SharedServices, { accountId, reportId }: LinkRecord) {
  const report = await reportById(control, accountId, reportId ?? "");
  if (report === null) throw nothing();
  return Buffer.from(await shownPageOf(control, accountId, report));
}

/** What a link shows, from the cache where the same was asked of the same facts today. */
async function viewOf(services: SharedServices, call: SharedCall, link: ViewLink) {
  const { links, clock, control } = services;
  const { kind, view, showsEvidence, name, accountId } = link;
  const now = clock.now();
  const revision = (await progressOf(control, accountId))?.revision ?? null;
  const day = new Date(now).toISOString().slice(0, 10);
  const make = contents[kind];
  return call.ask({
    accountId,
    isStillGood: () => links.isStillGood(link),
    parsed: {
      key: JSON.stringify([kind, view, name, showsEvidence, revision, day]),
      ...(showsEvidence ? { showsTexts: true as const } : {}),
      reply: async ({ signal }) => {
        const made = () => make(services, link, { now, signal });
        return Buffer.from(await making.run(accountId, signal, made));
      },
    },
  });
}

const cookieName = "sightline-share";

function mayPass(links: Links, link: LinkRecord, { headers }: SharedCall): boolean {
  if (link.passwordHash === null) return true;
  return cookiesNamed(headers, cookieName).some((pass) => links.isPass(pass, link));
}

/** Scripts cannot read it, other sites do not send it, and no other link gets it. */
function passCookie(pass: string, path: string, { isSecure }: SharedCall): string {
  return [
    `${cookieName}=${pass}`,
    `Path=${path}`,
    "HttpOnly",
    "SameSite=Strict",
    ...(isSecure ? ["Secure"] : []),
  ].join("; ");
}

function form({ isWrong }: { readonly isWrong: boolean }): Reply {
  const page = { contentType: html, body: passwordPage({ isWrong }), headers: sharedFields };
  return isWrong ? { ...page, status: 403 } : page;
}

function seeOther(location: string, cookie?: string): Reply {
  const fields = { ...sharedFields, Location: location };
  const headers = cookie === undefined ? fields : { ...fields, "Set-Cookie": cookie };
  return { status: 303, contentType: html, body: "", headers };
}

/** A failure in words for a reader who was given an address and knows nothing of the service. */
function failure({ code, headers }: ServiceError): Reply {
  const seconds = headers["Retry-After"];
  const body = failurePage(wordsOf(code, seconds ?? "60"));
  return { contentType: html, body, headers: sharedFields };
}

function wordsOf(code: ServiceError["code"], seconds: string) {
  switch (code) {
    case "not_found":
      return {
        title: "There is nothing here",
        text:
          "The link is not complete, has ended or was revoked. Ask the person who sent it for " +
          "another one.",
      };
    case "rate_limited":
    case "quota_exhausted":
      return { title: "Too many requests", text: `Wait ${seconds} seconds, then reload the page.` };
    case "facts_not_ready":
    case "overloaded":
    case "deadline_exceeded":
      return {
        title: "The numbers are not ready",
        text: "They are being computed, or the service is busy. Reload the page in a minute.",
      };
    default:
      return {
        title: "The page cannot be shown",
        text: "Reload it in a minute. If that does not help, tell the person who sent the link.",
      };
  }
}

/** Crawlers that obey are told not to ask; the others see noindex in each reply. */
const robots = "User-agent: *\nDisallow: /share/\n";

/** The addresses of share links, for their readers. */
export const sharedOperations: readonly Operation<SharedServices>[] = [
  contentRoute("/share/:token", pageKinds),
  contentRoute("/share/:token/csv", ["csv"]),
  contentRoute("/share/:token/image.svg", ["image"]),
  passwordRoute,
  {
    kind: "open",
    method: "GET",
    path: "/robots.txt",
    reply: async () => ({ contentType: "text/plain; charset=utf-8", body: robots }),
  },
];
