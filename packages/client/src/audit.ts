import type { AuditAction, AuditResponse } from "@sightline/contract";
import type { Caller } from "./calls.ts";
import type { CallOptions } from "./options.ts";
import { Pages } from "./pages.ts";
import { queryOf } from "./query-of.ts";

/** Which entries of the audit log are meant. */
export interface AuditSelection {
  readonly action?: AuditAction | undefined;
  /** The id of the key that changed something. */
  readonly actorId?: string | undefined;
  /** The id of what was changed. */
  readonly subject?: string | undefined;
  /** RFC 3339; only entries from then on. */
  readonly from?: string | undefined;
  /** RFC 3339; only entries before then. */
  readonly to?: string | undefined;
  /** `nextCursor` of a page: from there on. */
  readonly cursor?: string | undefined;
}

/** The audit log of the key's account: an addition to the interface. */
export class Audit {
  readonly #call: Caller;

  constructor(call: Caller) {
    this.#call = call;
  }

  /** Entries, newest first. Awaited: a page; iterated: all of them. The key needs `manage`. */
  list(
    selection: AuditSelection = {},
    options?: CallOptions,
  ): Pages<AuditResponse, AuditResponse["entries"][number], string | undefined> {
    const page = async (cursor = selection.cursor) => {
      const path = `/v1/audit${queryOf({ ...selection, cursor })}` as const;
      return (await this.#call({ method: "GET", path }, options)) as AuditResponse;
    };
    const next = ({ nextCursor }: AuditResponse) => nextCursor;
    return new Pages({ first: undefined, fetch: page, items: ({ entries }) => entries, next });
  }
}
