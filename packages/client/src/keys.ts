import type { CreatedKeyResponse, KeyRequest, KeysResponse, ListedKey } from "@sightline/contract";
import type { Caller } from "./calls.ts";
import type { CallOptions } from "./options.ts";

/** The account's static keys: additions to the interface. The client's key needs `manage`. */
export class Keys {
  readonly #call: Caller;

  constructor(call: Caller) {
    this.#call = call;
  }

  /** Keys of the account, oldest first, the revoked and expired too; never the keys themselves. */
  async list(options?: CallOptions): Promise<readonly ListedKey[]> {
    const call = { method: "GET", path: "/v1/keys" } as const;
    return ((await this.#call(call, options)) as KeysResponse).keys;
  }

  /**
   * Creates a key; `key` of the reply is the only place that shows it. It is not retried when it
   * may have arrived: the key of a reply that was lost would be known to nobody.
   */
  async create(request: KeyRequest = {}, options?: CallOptions): Promise<CreatedKeyResponse> {
    const body = JSON.stringify(request);
    const call = { method: "POST", path: "/v1/keys", body, isOnce: true } as const;
    return (await this.#call(call, options)) as CreatedKeyResponse;
  }

  /** Revokes a key, which ends its sessions. Repeating it changes nothing. */
  async revoke(keyId: string, options?: CallOptions): Promise<ListedKey> {
    const call = { method: "DELETE", path: `/v1/keys/${encodeURIComponent(keyId)}` } as const;
    return (await this.#call(call, options)) as ListedKey;
  }
}
