import type {
  CreatedHookResponse,
  DeliveriesResponse,
  HookRequest,
  HooksResponse,
  ListedDelivery,
  ListedHook,
} from "@sightline/contract";
import type { Caller } from "./calls.ts";
import type { CallOptions } from "./options.ts";

/** The account's webhooks: additions to the interface. The client's key needs `manage`. */
export class Hooks {
  readonly #call: Caller;

  constructor(call: Caller) {
    this.#call = call;
  }

  /** Oldest first; never their secrets. */
  async list(options?: CallOptions): Promise<readonly ListedHook[]> {
    const call = { method: "GET", path: "/v1/hooks" } as const;
    return ((await this.#call(call, options)) as HooksResponse).hooks;
  }

  /**
   * Creates a webhook; `secret` of the reply is the only place that shows it. It is not retried
   * when it may have arrived.
   */
  async create(request: HookRequest, options?: CallOptions): Promise<CreatedHookResponse> {
    const body = JSON.stringify(request);
    const call = { method: "POST", path: "/v1/hooks", body, isOnce: true } as const;
    return (await this.#call(call, options)) as CreatedHookResponse;
  }

  /**
   * Deletes a webhook and the log of its deliveries.
   * @returns what it was; null: the reply was lost, and a retry found that it is deleted.
   * @throws NotFoundError when there was none with this id.
   */
  async delete(hookId: string, options?: CallOptions): Promise<ListedHook | null> {
    const call = { method: "DELETE", path: pathOf(hookId), isRemoval: true } as const;
    const reply = (await this.#call(call, options)) as Partial<ListedHook>;
    return reply.id === undefined ? null : (reply as ListedHook);
  }

  /** Sends a test, once. @returns how it went. */
  async test(hookId: string, options?: CallOptions): Promise<ListedDelivery> {
    const call = { method: "POST", path: `${pathOf(hookId)}/test`, isOnce: true } as const;
    return (await this.#call(call, options)) as ListedDelivery;
  }

  /** What was sent to a webhook, newest first. */
  async deliveries(hookId: string, options?: CallOptions): Promise<readonly ListedDelivery[]> {
    const call = { method: "GET", path: `${pathOf(hookId)}/deliveries` } as const;
    return ((await this.#call(call, options)) as DeliveriesResponse).deliveries;
  }
}

function pathOf(hookId: string) {
  return `/v1/hooks/${encodeURIComponent(hookId)}` as const;
}
