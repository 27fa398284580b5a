import {
  type CreatedLinkResponse,
  durationMs,
  type FieldError,
  type LinkRequest,
  type LinksResponse,
  type ListedLink,
  linkRequestSchema,
  linkViewCharactersMax,
  pageLinksMax,
  pagesOfKind,
} from "@sightline/contract";
import { actingFor, type ControlEngine } from "../control/control-engine.ts";
import { validated } from "../http/body.ts";
import { type Change, declared, jsonReply, type List, type Operation } from "../http/operation.ts";
import { pageSizeOf, parametersOf, refusedCursor } from "../http/query-parameters.ts";
import type { Clock } from "../platform/clock.ts";
import { ServiceError } from "../platform/service-error.ts";
import { type LinkRecord, linksOf, revokeLink } from "./link-store.ts";
import type { LinkProperties, Links } from "./links.ts";

/** Dependencies of the operations on share links. */
export interface LinkServices {
  readonly control: ControlEngine;
  readonly links: Links;
  readonly clock: Clock;
  readonly config: { readonly publicUrl: string | null };
}

const linksRoute: List<LinkServices> = {
  ...declared("links"),
  kind: "list",
  reply: async ({ control, links }, { caller, query }) => {
    const { limit, cursor } = parametersOf(query, ["limit", "cursor"]);
    const size = pageSizeOf(limit, pageLinksMax);
    const before = cursor === undefined ? null : readCursor(cursor);
    const found = await linksOf(control, caller.accountId, { before, limit: size + 1 });
    const page = found.slice(0, size);
    const last = found.length > size ? page.at(-1) : undefined;
    const nextCursor = last === undefined ? null : `${last.createdAt}.${last.id}`;
    const listed = await Promise.all(page.map((link) => listedLink(links, link)));
    return jsonReply({ links: listed, nextCursor } satisfies LinksResponse);
  },
};

/** A cursor is the last link on the page before: when it was made, and its id. */
function readCursor(text: string): Pick<LinkRecord, "createdAt" | "id"> {
  const [, createdAt, id] = /^(\d{1,15})\.([\da-f-]{36})$/.exec(text) ?? [];
  if (createdAt !== undefined && id !== undefined) return { createdAt: Number(createdAt), id };
  throw refusedCursor();
}

const createLinkRoute: Change<LinkServices> = {
  ...declared("createLink"),
  kind: "change",
  reply: async ({ control, links, clock, config }, { caller, actor, body, origin }) => {
    const properties = linkProperties(validated(linkRequestSchema, body), clock.now());
    const by = actingFor(control, actor);
    const { link, token } = await links.create(caller.accountId, properties, by);
    const address = `${config.publicUrl ?? origin ?? ""}${linkPath(link.kind, token)}`;
    const listed = await listedLink(links, link);
    return jsonReply({ ...listed, address } satisfies CreatedLinkResponse);
  },
};

const revokeLinkRoute: Change<LinkServices> = {
  ...declared("revokeLink"),
  kind: "change",
  reply: async ({ control, links, clock }, { caller, actor, parameters }) => {
    const { linkId = "" } = parameters;
    const by = actingFor(control, actor);
    const revoked = await revokeLink(by, caller.accountId, linkId, clock.now());
    return jsonReply((await listedLink(links, revoked)) satisfies ListedLink);
  },
};

/** Where a link of this kind leads, below the service's own address. */
export function linkPath(kind: LinkRecord["kind"], token: string): string {
  const rest = { view: "", csv: "/csv", image: "/image.svg" }[kind];
  return `/share/${token}${rest}`;
}

/** The last millisecond of the year 9999: later instants are not date-times. */
const lastMs = 253_402_300_799_999;

/** What a request asks for. @throws ServiceError invalid_request. */
export function linkProperties(
  { expiresIn = null, ...request }: LinkRequest,
  now: number,
): LinkProperties {
  const { kind, view, password, showsEvidence = false } = request;
  const expiresAt = expiresIn === null ? null : now + (durationMs(expiresIn) ?? 0);
  const characters = JSON.stringify(view).length;
  const isView = kind === "view";
  const faults: readonly (FieldError | false)[] = [
    !pagesOfKind[kind].includes(view.page) && {
      path: "/view/page",
      code: "not_allowed",
      message: `must be ${pagesOfKind[kind].join(" or ")} for the kind ${kind}, got ${view.page}.`,
    },
    characters > linkViewCharactersMax && {
      path: "/view",
      code: "too_large",
      message: `must have at most ${linkViewCharactersMax} characters as JSON, got ${characters}.`,
    },
    !isView && password !== undefined && ofPagesAlone("/password", "no password: nobody types one"),
    !isView && showsEvidence && ofPagesAlone("/showsEvidence", "no texts of answers"),
    expiresAt !== null &&
      expiresAt > lastMs && {
        path: "/expiresIn",
        code: "too_large",
        message: "must end by the year 9999.",
      },
  ];
  const errors = faults.filter((fault) => fault !== false);
  if (errors.length === 0) return { ...request, expiresAt };
  const detail = errors.map(({ path, message }) => `${path}: ${message}`).join(" ");
  throw new ServiceError("invalid_request", detail, { errors });
}

function ofPagesAlone(path: string, has: string): FieldError {
  const message = `A table and a picture have ${has}. Leave it out, or use the kind view.`;
  return { path, code: "not_allowed", message };
}

/** A link as lists show it. */
export async function listedLink(links: Links, link: LinkRecord): Promise<ListedLink> {
  const { id, name, kind, view, showsEvidence, keyId, uses } = link;
  return {
    linkId: id,
    name,
    kind,
    view,
    showsEvidence,
    hasPassword: link.passwordHash !== null,
    createdAt: new Date(link.createdAt).toISOString(),
    createdBy: link.createdBy.name,
    keyId,
    expiresAt: dateTime(link.expiresAt),
    revokedAt: dateTime(link.revokedAt),
    lastUsedAt: dateTime(link.lastUsedAt),
    uses,
    state: await links.stateOf(link),
  };
}

function dateTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** The operations on share links. */
export const linkOperations: readonly Operation<LinkServices>[] = [
  linksRoute,
  createLinkRoute,
  revokeLinkRoute,
];
