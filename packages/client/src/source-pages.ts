import type { SourceAnalysisResponse } from "@sightline/contract";
import { UnexpectedReplyError } from "./errors.ts";
import { Pages } from "./pages.ts";

/** One cited domain or URL. */
export type Source = SourceAnalysisResponse["sources"][number];

/**
 * The sources of a question. Awaited, it is one page; iterated, it is every source from `offset`
 * on, the most cited first, with pages fetched on demand. It sends nothing before.
 */
export class SourcePages extends Pages<SourceAnalysisResponse, Source, number> {
  override readonly [Symbol.toStringTag] = "SourcePages";

  /** `page` fetches the page that begins at an offset. */
  constructor(page: (offset: number) => Promise<SourceAnalysisResponse>, offset: number) {
    super({ first: offset, fetch: page, items: ({ sources }) => sources, next: nextOffset });
  }
}

function nextOffset({ sources, pagination }: SourceAnalysisResponse, offset: number) {
  if (!pagination.hasMore) return null;
  if (sources.length > 0) return offset + sources.length;
  throw new UnexpectedReplyError(`The page at offset ${offset} is empty, but not the last.`);
}
