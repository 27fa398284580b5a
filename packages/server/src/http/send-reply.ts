import type { FastifyReply } from "fastify";
import type { Reply } from "./route.ts";

/** Sends a reply that went well. */
export function sendReply(
  reply: FastifyReply,
  { status, contentType, body, headers }: Reply,
): FastifyReply {
  return reply
    .code(status ?? 200)
    .headers(headers ?? {})
    .type(contentType)
    .send(body);
}
