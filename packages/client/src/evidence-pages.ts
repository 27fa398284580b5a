import type { EvidenceAnswer, EvidenceResponse } from "@sightline/contract";
import { UnexpectedReplyError } from "./errors.ts";
import { Pages } from "./pages.ts";

/** Where a page begins: undefined at the first answer. */
type Cursor = string | undefined;

/**
 * The answers behind a value. Awaited, it is one page; iterated, it is every answer, newest first,
 * with pages fetched on demand. It sends nothing before.
 */
export class EvidencePages extends Pages<EvidenceResponse, EvidenceAnswer, Cursor> {
  override readonly [Symbol.toStringTag] = "EvidencePages";

  /** `page` fetches the page of a cursor. */
  constructor(page: (cursor: Cursor) => Promise<EvidenceResponse>, cursor: Cursor) {
    super({ first: cursor, fetch: page, items: ({ answers }) => answers, next: nextCursor });
  }
}

function nextCursor({ answers, nextCursor: next }: EvidenceResponse, cursor: Cursor) {
  if (next === null || (answers.length > 0 && next !== cursor)) return next;
  throw new UnexpectedReplyError("A page of evidence is empty, but not the last.");
}
