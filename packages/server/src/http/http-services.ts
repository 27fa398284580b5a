import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { InFlightCalls } from "./in-flight-calls.ts";
import type { CallerKey, CallerKind } from "./operation.ts";
import type { PendingReplyBytes } from "./pending-reply-bytes.ts";
import type { ReplyCache } from "./reply-cache.ts";

/** What the HTTP surface itself needs, whatever its operations do. */
export interface HttpServices {
  readonly config: {
    /** Addresses and networks whose X-Forwarded-For is believed. */
    readonly trustedProxies: readonly string[];
    /** Origins whose pages may read the API's replies. */
    readonly corsOrigins: readonly string[];
    /** Hosts under which the service may be asked; none: any. */
    readonly allowedHosts: readonly string[];
    /** How long a question or a list may take, its wait in line included. */
    readonly questionSeconds: number;
  };
  /** All ways to the API: an operation is the same by each. */
  readonly callerKinds: readonly CallerKind[];
  readonly limits: {
    /**
     * Takes one call from a key's rate and quota; gives the header fields that say what is left.
     * @throws ServiceError quota_exhausted, rate_limited or overloaded.
     */
    readonly take: (caller: CallerKey) => Promise<Readonly<Record<string, string>>>;
  };
  readonly facts: {
    /** Names the state of an account's facts; null: its replies are not kept. */
    readonly version: (accountId: string, signal: AbortSignal) => Promise<string | null>;
  };
  readonly replyCache: ReplyCache;
  readonly documents: {
    /** A page with the frame of the documents, for an address where nothing is. */
    readonly notFound: () => Promise<string>;
  };
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly lifecycle: Lifecycle;
}

/** Whether the service goes on. */
export interface Lifecycle {
  /** True from the moment that it was told to stop. */
  stopping: boolean;
}

/** What one listening surface counts of its own. */
export interface Surface<Services> {
  readonly services: Services & HttpServices;
  readonly pendingReplyBytes: PendingReplyBytes;
  readonly inFlightCalls: InFlightCalls;
}
