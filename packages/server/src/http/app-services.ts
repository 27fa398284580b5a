import type { FastifyRequest } from "fastify";
import type { ApplyThreads, WrittenFile } from "../accounts/apply-thread.ts";
import type { RevisionCache } from "../accounts/revision-cache.ts";
import type { AnswerStore } from "../answers/answer-store.ts";
import type { CorrectionThread } from "../answers/corrections/correction-thread.ts";
import type { ImportThread } from "../answers/intake/import-thread.ts";
import type { CollectionThread } from "../collection/collection-thread.ts";
import type { Control } from "../control/control.ts";
import type { ProjectionScheduler } from "../facts/projection/scheduler.ts";
import type { Webhooks } from "../hooks/webhooks.ts";
import type { ConsoleLinks } from "../keys/console/console-links.ts";
import type { ConsoleSessions } from "../keys/console/console-sessions.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import type { KeyRecord } from "../keys/key-store.ts";
import type { Limits } from "../keys/limits/limits.ts";
import type { SecretBox } from "../keys/secret-box.ts";
import type { Sessions } from "../keys/sessions.ts";
import type { SigningKeys } from "../keys/signing-keys.ts";
import type { ConsoleFiles } from "../pages/console-files.ts";
import type { Documents } from "../pages/documents.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { Facts } from "../questions/facts.ts";
import type { DeclaredWorkspaces } from "../questions/routes/workspace/declared-workspaces.ts";
import type { CallsUnderWay } from "./calls-under-way.ts";
import type { RepliesUnderWay } from "./replies-under-way.ts";
import type { ReplyCache } from "./reply-cache.ts";

/** What the HTTP surface is made over. */
export interface AppServices {
  readonly config: {
    readonly issuer: string;
    /** Addresses and networks whose X-Forwarded-For is believed. */
    readonly trustedProxies: readonly string[];
    /** Origins whose pages may read the API's replies. */
    readonly corsOrigins: readonly string[];
    /** Hosts under which the service may be asked; none: any. */
    readonly allowedHosts: readonly string[];
    /** Whether webhooks may lead to private addresses, and be http. */
    readonly hooksToPrivate: boolean;
    /** Off: no address of the console exists. */
    readonly console: "on" | "off";
  };
  readonly control: Control;
  readonly collection: Pick<CollectionThread, "api" | "health" | "collects">;
  readonly answers: AnswerStore;
  readonly imports: ImportThread;
  readonly applies: ApplyThreads;
  readonly corrections: CorrectionThread;
  readonly facts: Facts;
  readonly projection: Pick<
    ProjectionScheduler,
    "notReady" | "failing" | "measure" | "waitUntilCurrent"
  >;
  readonly replyCache: ReplyCache;
  readonly workspaces: DeclaredWorkspaces;
  readonly workspaceFiles: RevisionCache<WrittenFile>;
  readonly documents: Documents;
  readonly consoleFiles: ConsoleFiles;
  readonly keyRing: KeyRing;
  readonly secretBox: SecretBox;
  readonly webhooks: Webhooks;
  readonly sessions: Sessions;
  readonly consoleSessions: ConsoleSessions;
  readonly consoleLinks: ConsoleLinks;
  readonly signingKeys: SigningKeys;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly lifecycle: Lifecycle;
}

/** A way to the operations of the API: where they are, and how their callers are known. */
export interface Entrance {
  /** What precedes the addresses of the API. */
  readonly prefix: string;
  /** The key of a request's session. @throws ServiceError when there is no valid session. */
  readonly identify: (request: FastifyRequest) => Promise<KeyRecord>;
  /** Whether a caller who was identified may go on: a token that expired since does not matter. */
  readonly isStillGood: (request: FastifyRequest) => Promise<boolean>;
}

/** What routes that know their caller are made over. */
export interface CallerServices extends AppServices {
  readonly repliesUnderWay: RepliesUnderWay;
  readonly callsUnderWay: CallsUnderWay;
  readonly entrances: readonly Entrance[];
}

/** Whether the service goes on. */
export interface Lifecycle {
  /** True from the moment that it was told to stop. */
  stopping: boolean;
}
