import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { FastifyReply } from "fastify";
import { Pieces } from "../platform/pieces.ts";
import type { Reply } from "./route.ts";

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
  if (typeof body === "string") return reply.send(body);
  const pieces = body instanceof Pieces ? body : new Pieces([body]);
  if (pieces.length <= writtenBytesMax) return reply.send(pieces.whole());
  return reply.header("Content-Length", pieces.length).send(Readable.from(stretchesOf(pieces)));
}

/** TRICKY: a connection that takes all it is given would be given all of it in one round. */
async function* stretchesOf(pieces: Pieces): AsyncGenerator<Buffer> {
  for (const stretch of pieces.stretches(writtenBytesMax)) {
    yield stretch;
    await setImmediate();
  }
}
