import { finished, Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { FastifyReply } from "fastify";
import type { CallerServices } from "./app-services.ts";
import { countedBytesMin } from "./replies-under-way.ts";
import type { Reply } from "./route.ts";
import { stretchesOf } from "./stretches.ts";

/**
 * What is written to a connection before it is waited for: a client that stops reading leaves no
 * more than that in the connection's buffer, and what it takes can be seen as it goes.
 */
export const writtenBytesMax = 65_536;

/** Sends a reply that went well. */
export function sendReply(
  reply: FastifyReply,
  { status, contentType, body, headers }: Reply,
): FastifyReply {
  reply
    .code(status ?? 200)
    .headers(headers ?? {})
    .type(contentType);
  if (status === 304) return reply.send(); // an empty text would have a length: that of the page
  if (body.length <= writtenBytesMax || typeof body === "string") return reply.send(body);
  return reply.header("Content-Length", body.length).send(Readable.from(oneARound(body)));
}

/** A reply, and the account whose bytes it takes. */
export interface CountedReply {
  readonly accountId: string;
  readonly made: Reply;
}

/**
 * Sends a reply, which is under way until the client has it or is gone.
 * @throws ServiceError overloaded when too many bytes of replies are under way.
 */
export function sendCounted(
  { repliesUnderWay }: Pick<CallerServices, "repliesUnderWay">,
  reply: FastifyReply,
  { accountId, made }: CountedReply,
): FastifyReply {
  if (made.body.length < countedBytesMin) return sendReply(reply, made);
  const body = Buffer.isBuffer(made.body) ? made.body : Buffer.from(made.body);
  finished(reply.raw, repliesUnderWay.hold(accountId, body));
  return sendReply(reply, { ...made, body });
}

/** TRICKY: a connection that takes all it is given would be given all of it in one round. */
async function* oneARound(body: Buffer): AsyncGenerator<Buffer> {
  for (const stretch of stretchesOf(body, writtenBytesMax)) {
    yield stretch;
    await setImmediate();
  }
}
