/** How the pages of a question follow each other; a place says where a page begins. */
export interface Paging<Page, Item, Place> {
  readonly first: Place;
  readonly fetch: (place: Place) => Promise<Page>;
  readonly items: (page: Page) => readonly Item[];
  /** Where the page after this one begins; null: it is the last. */
  readonly next: (page: Page, place: Place) => Place | null;
}

/**
 * The pages of a question. Awaited, it is one page; iterated, it is every item from there on, with
 * pages fetched on demand, one after another. It sends nothing before.
 */
export class Pages<Page, Item, Place> implements Promise<Page>, AsyncIterable<Item> {
  readonly [Symbol.toStringTag]: string = "Pages";
  readonly #paging: Paging<Page, Item, Place>;
  #first: Promise<Page> | undefined;

  constructor(paging: Paging<Page, Item, Place>) {
    this.#paging = paging;
  }

  /** Every page from the first on. */
  async *pages(): AsyncGenerator<Page, void> {
    const { first, fetch, next } = this.#paging;
    for (let place: Place | null = first; place !== null; ) {
      const page: Page = await (place === first ? this.#one() : fetch(place));
      yield page;
      place = next(page, place);
    }
  }

  /** Every item from the first on. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    for await (const page of this.pages()) yield* this.#paging.items(page);
  }

  /** As of any promise, for the one page. */
  // biome-ignore lint/suspicious/noThenProperty: it is a promise, so that `await` takes one page
  then<Kept = Page, Rejected = never>(
    fulfilled?: ((page: Page) => Kept | PromiseLike<Kept>) | null,
    rejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Kept | Rejected> {
    return this.#one().then(fulfilled, rejected);
  }

  /** As of any promise, for the one page. */
  catch<Rejected = never>(
    rejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Page | Rejected> {
    return this.#one().catch(rejected);
  }

  /** As of any promise, for the one page. */
  finally(done?: (() => void) | null): Promise<Page> {
    return this.#one().finally(done);
  }

  #one(): Promise<Page> {
    this.#first ??= this.#paging.fetch(this.#paging.first);
    return this.#first;
  }
}
