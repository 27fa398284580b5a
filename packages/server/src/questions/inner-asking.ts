import type { OperationName } from "@sightline/contract";
import { questionSignal } from "../http/in-flight-calls.ts";
import { declared } from "../http/operation.ts";
import { PendingReplyBytes } from "../http/pending-reply-bytes.ts";
import { type Caching, cachedReply } from "../http/reply.ts";
import { theService } from "../platform/actor.ts";
import type { QuestionServices } from "./question-services.ts";
import { questionOperations } from "./routes.ts";

/** What the service asks itself with. */
export interface AskingServices extends QuestionServices {
  readonly config: { readonly questionSeconds: number };
}

/** Of all replies to the service itself in this process, as those to clients are bounded. */
const pendingReplyBytes = new PendingReplyBytes();

/**
 * Asks the service itself for an account: the same questions, checks, cache and deadline as over
 * HTTP, so that pages and reports have no second way of counting. Nobody's limits are used up.
 */
export class InnerAsking {
  readonly services: AskingServices;
  readonly accountId: string;
  readonly signal: AbortSignal;

  constructor(services: AskingServices, accountId: string, signal: AbortSignal) {
    this.services = services;
    this.accountId = accountId;
    this.signal = signal;
  }

  /** The reply to a question. @throws ServiceError as the operation does. */
  async reply<Reply>(name: OperationName, body: object): Promise<Reply> {
    const operation = questionOperations.find(({ path }) => path === declared(name).path);
    if (operation === undefined) throw new Error(`${name} is not a question`);
    const { services, accountId } = this;
    const { signal, done } = questionSignal(this.signal, services.config.questionSeconds);
    try {
      const call = { ...nothingSaid, caller: callerOf(accountId), actor: theService, body };
      const parsed = await operation.parse(services, call);
      const { path } = operation;
      const asked = { accountId, path, parsed, signal, encodings: undefined };
      const caching: Caching = { services, pendingReplyBytes };
      const { body: json } = await cachedReply(caching, asked);
      return JSON.parse(json.toString("utf8")) as Reply;
    } finally {
      done();
    }
  }
}

const nothingSaid = { parameters: {}, headers: {}, query: {} } as const;

/** The caller of these questions: the one who has them asked was checked before. */
function callerOf(accountId: string) {
  const limits = { ratePerSecond: "off", dailyQuota: "off" } as const;
  return {
    id: "",
    name: theService.name,
    accountId,
    scopes: ["read"],
    ...limits,
  } as const;
}
