import type {
  CreatedLinkResponse,
  LinkRequest,
  LinksResponse,
  ListedLink,
} from "@sightline/contract";
import type { Caller } from "./calls.ts";
import type { CallOptions } from "./options.ts";
import { Pages } from "./pages.ts";
import { queryOf } from "./query-of.ts";

/** The account's share links: additions to the interface. The client's key needs `manage`. */
export class Links {
  readonly #call: Caller;

  constructor(call: Caller) {
    this.#call = call;
  }

  /** Newest first, never their addresses. Awaited: a page; iterated: all of them. */
  list(
    { cursor }: { readonly cursor?: string | undefined } = {},
    options?: CallOptions,
  ): Pages<LinksResponse, ListedLink, string | undefined> {
    const page = async (from = cursor) => {
      const path = `/v1/links${queryOf({ cursor: from })}` as const;
      return (await this.#call({ method: "GET", path }, options)) as LinksResponse;
    };
    const next = ({ nextCursor }: LinksResponse) => nextCursor;
    return new Pages({ first: undefined, fetch: page, items: ({ links }) => links, next });
  }

  /**
   * Creates a link; `address` of the reply is the only place that shows it. It is not retried when
   * it may have arrived.
   */
  async create(request: LinkRequest, options?: CallOptions): Promise<CreatedLinkResponse> {
    const body = JSON.stringify(request);
    const call = { method: "POST", path: "/v1/links", body, isOnce: true } as const;
    return (await this.#call(call, options)) as CreatedLinkResponse;
  }

  /**
   * Revokes a link, which ends immediately.
   * @throws NotFoundError when there is none with this id.
   */
  async revoke(linkId: string, options?: CallOptions): Promise<ListedLink> {
    const path = `/v1/links/${encodeURIComponent(linkId)}` as const;
    return (await this.#call({ method: "DELETE", path }, options)) as ListedLink;
  }
}
