import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { Pieces } from "../platform/pieces.ts";
import type { Reply } from "./route.ts";

/** Sends a reply that went well. */
export function sendReply(
  reply: FastifyReply,
  { status, contentType, body, headers }: Reply,
): FastifyReply {
  reply
    .code(status ?? 200)
    .headers(headers ?? {})
    .type(contentType);
  if (!(body instanceof Pieces)) return reply.send(body);
  if (body.parts.length === 1) return reply.send(body.whole());
  return reply.header("Content-Length", body.length).send(new PiecesStream(body));
}

/**
 * Hands all pieces over at once: they are in memory as they are, and to wait for the connection
 * after each 64 KiB, as streams do, takes twice as long. Node gives them to the kernel together.
 */
class PiecesStream extends Readable {
  readonly #pieces: Pieces;

  constructor(pieces: Pieces) {
    super();
    this.#pieces = pieces;
  }

  /** What Fastify calls of a stream. */
  override pipe<Destination extends NodeJS.WritableStream>(response: Destination): Destination {
    for (const part of this.#pieces.parts) response.write(part);
    response.end();
    this.push(null);
    this.resume(); // so that it ends: Fastify waits for that
    return response;
  }

  override _read(): void {}
}
