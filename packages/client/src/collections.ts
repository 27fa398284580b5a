import type {
  CollectionRequest,
  CollectionsResponse,
  ListedCollection,
  StartedCollection,
} from "@sightline/contract";
import type { Caller } from "./calls.ts";
import type { CallOptions } from "./options.ts";

/** Asking the providers: additions to the interface. The client's key needs `manage`. */
export class Collections {
  readonly #call: Caller;

  constructor(call: Caller) {
    this.#call = call;
  }

  /**
   * Asks now, or with `dryRun` says what it would ask and cost. It is not retried when it may have
   * arrived: a repeated call asks again.
   * @throws ConflictError when the service has no credential of any vendor that is wanted.
   */
  async start(request: CollectionRequest = {}, options?: CallOptions): Promise<StartedCollection> {
    const body = JSON.stringify(request);
    const call = { method: "POST", path: "/v1/collections", body, isOnce: true } as const;
    return (await this.#call(call, options)) as StartedCollection;
  }

  /** The latest sweeps, when the next ones come, how vendors stand and what was spent. */
  async list(options?: CallOptions): Promise<CollectionsResponse> {
    const call = { method: "GET", path: "/v1/collections" } as const;
    return (await this.#call(call, options)) as CollectionsResponse;
  }

  /** How a sweep stands; `endedAt` is null while it is under way. */
  async get(collectionId: string, options?: CallOptions): Promise<ListedCollection> {
    const call = { method: "GET", path: pathOf(collectionId) } as const;
    return (await this.#call(call, options)) as ListedCollection;
  }

  /** Sends no further question of a sweep; what was answered counts. @returns how it stands. */
  async cancel(collectionId: string, options?: CallOptions): Promise<ListedCollection> {
    const call = { method: "DELETE", path: pathOf(collectionId) } as const;
    return (await this.#call(call, options)) as ListedCollection;
  }
}

function pathOf(collectionId: string) {
  return `/v1/collections/${encodeURIComponent(collectionId)}` as const;
}
