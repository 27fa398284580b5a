import type { SourceAnalysisResponse } from "@sightline/contract";
import { UnexpectedReplyError } from "./errors.ts";

/** One cited domain or URL. */
export type Source = SourceAnalysisResponse["sources"][number];

/**
 * The sources of a question. Awaited, it is one page; iterated, it is every source from `offset`
 * on, with pages fetched on demand, one after another. It sends nothing before.
 */
export class SourcePages implements Promise<SourceAnalysisResponse>, AsyncIterable<Source> {
  readonly [Symbol.toStringTag] = "SourcePages";
  readonly #page: (offset: number) => Promise<SourceAnalysisResponse>;
  readonly #offset: number;
  #first: Promise<SourceAnalysisResponse> | undefined;

  /** `page` fetches the page that begins at an offset. */
  constructor(page: (offset: number) => Promise<SourceAnalysisResponse>, offset: number) {
    this.#page = page;
    this.#offset = offset;
  }

  /** Every page from `offset` on. */
  async *pages(): AsyncGenerator<SourceAnalysisResponse, void> {
    for (let offset = this.#offset; ; ) {
      const page = await (offset === this.#offset ? this.#one() : this.#page(offset));
      yield page;
      if (!page.pagination.hasMore) return;
      if (page.sources.length === 0) {
        throw new UnexpectedReplyError(`The page at offset ${offset} is empty, but not the last.`);
      }
      offset += page.sources.length;
    }
  }

  /** Every source from `offset` on, the most cited first. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Source, void> {
    for await (const page of this.pages()) yield* page.sources;
  }

  /** As of any promise, for the one page. */
  // biome-ignore lint/suspicious/noThenProperty: it is a promise, so that `await` takes one page
  then<Kept = SourceAnalysisResponse, Rejected = never>(
    fulfilled?: ((page: SourceAnalysisResponse) => Kept | PromiseLike<Kept>) | null,
    rejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Kept | Rejected> {
    return this.#one().then(fulfilled, rejected);
  }

  /** As of any promise, for the one page. */
  catch<Rejected = never>(
    rejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<SourceAnalysisResponse | Rejected> {
    return this.#one().catch(rejected);
  }

  /** As of any promise, for the one page. */
  finally(done?: (() => void) | null): Promise<SourceAnalysisResponse> {
    return this.#one().finally(done);
  }

  #one(): Promise<SourceAnalysisResponse> {
    this.#first ??= this.#page(this.#offset);
    return this.#first;
  }
}
