import type {
  CollectionRequest,
  CollectionsResponse,
  CredentialTest,
  CredentialTestRequest,
  ListedCollection,
  ReadingRequest,
  StartedCollection,
  StartedReading,
  Vendor,
  VendorCredential,
  VendorCredentialsResponse,
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

  /**
   * Has answers read by the model that the operator configured, or with `dryRun` says what it would
   * ask and cost. @throws ConflictError when no model is configured.
   */
  async read(request: ReadingRequest, options?: CallOptions): Promise<StartedReading> {
    const body = JSON.stringify(request);
    const call = { method: "POST", path: "/v1/readings", body, isOnce: true } as const;
    return (await this.#call(call, options)) as StartedReading;
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

  /** The vendors with a credential, in their order; never a value. */
  async credentials(options?: CallOptions): Promise<readonly VendorCredential[]> {
    const call = { method: "GET", path: "/v1/collection/credentials" } as const;
    return ((await this.#call(call, options)) as VendorCredentialsResponse).credentials;
  }

  /** Stores the account's credential of a vendor, in place of the one before. */
  async storeCredential(
    vendor: Vendor,
    credential: string,
    options?: CallOptions,
  ): Promise<VendorCredential> {
    const body = JSON.stringify({ credential });
    const call = { method: "PUT", path: credentialPath(vendor), body } as const;
    return (await this.#call(call, options)) as VendorCredential;
  }

  /**
   * Deletes the account's credential of a vendor.
   * @returns what it was; null: the reply was lost, and a retry found that it is deleted.
   * @throws NotFoundError when there was none.
   */
  async deleteCredential(vendor: Vendor, options?: CallOptions): Promise<VendorCredential | null> {
    const call = { method: "DELETE", path: credentialPath(vendor), isRemoval: true } as const;
    const reply = (await this.#call(call, options)) as Partial<VendorCredential>;
    return reply.vendor === undefined ? null : (reply as VendorCredential);
  }

  /** Tests what the account's sweeps ask a vendor with, once; with `paid` by a question too. */
  async testCredential(
    vendor: Vendor,
    request: CredentialTestRequest = {},
    options?: CallOptions,
  ): Promise<CredentialTest> {
    const body = JSON.stringify(request);
    const path = `${credentialPath(vendor)}/test` as const;
    const call = { method: "POST", path, body, isOnce: true } as const;
    return (await this.#call(call, options)) as CredentialTest;
  }
}

function credentialPath(vendor: Vendor) {
  return `/v1/collection/credentials/${encodeURIComponent(vendor)}` as const;
}

function pathOf(collectionId: string) {
  return `/v1/collections/${encodeURIComponent(collectionId)}` as const;
}
