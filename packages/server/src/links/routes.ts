import {
  type CreatedLinkResponse,
  type FieldError,
  type LinksResponse,
  type ListedLink,
  linkRequestSchema,
  pageLinksMax,
  quoted,
} from "@sightline/contract";
import { actingFor, type ControlEngine } from "../control/control-engine.ts";
import { validated } from "../http/body.ts";
import { type Change, declared, jsonReply, type List, type Operation } from "../http/operation.ts";
import { pageSizeOf, parametersOf, refusedCursor } from "../http/query-parameters.ts";
import type { Clock } from "../platform/clock.ts";
import { ServiceError } from "../platform/service-error.ts";
import { linkPath, manyLinks, readLinkRequest } from "./link-request.ts";
import { type LinkRecord, linksOf, revokeLink } from "./link-store.ts";
import { type Links, listedLink } from "./links.ts";

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
    const request = validated(linkRequestSchema, body);
    const { accountId } = caller;
    const read = await readLinkRequest(control, accountId, request, clock.now());
    if ("faults" in read) throw invalid(read.faults);
    const made = await links.create(accountId, read.properties, actingFor(control, actor));
    if (made === null) throw invalid([{ path: "", code: "too_large", message: manyLinks }]);
    const address = `${config.publicUrl ?? origin ?? ""}${linkPath(made.link.kind, made.token)}`;
    const listed = await listedLink(links, made.link);
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
    if (revoked === null) {
      throw new ServiceError("not_found", `The account has no share link ${quoted(linkId)}.`);
    }
    return jsonReply((await listedLink(links, revoked)) satisfies ListedLink);
  },
};

function invalid(errors: readonly FieldError[]): ServiceError {
  const detail = errors.map(({ path, message }) => `${path || "/"}: ${message}`).join(" ");
  return new ServiceError("invalid_request", detail, { errors });
}

/** The operations on share links. */
export const linkOperations: readonly Operation<LinkServices>[] = [
  linksRoute,
  createLinkRoute,
  revokeLinkRoute,
];
