import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** Header fields of every reply: a browser must not guess a content type. */
export const everyReply = { "X-Content-Type-Options": "nosniff" };

/**
 * Replies from a hook that runs as soon as the head was read. TRICKY: the HTTP parser may yet
 * refuse the same bytes, such as an encoding of the body that is none, and answers them itself: it
 * has to come first, or one request would get two replies.
 */
export function afterParsing(reply: () => void): void {
  queueMicrotask(reply);
}

/** Refuses a request from such a hook. */
export function refuse(done: (error: Error) => void, error: Error): void {
  afterParsing(() => done(error));
}

/** Does something to every reply that is about to be sent; the body stays what it is. */
export function beforeSending(
  app: FastifyInstance,
  work: (request: FastifyRequest, reply: FastifyReply) => void,
): void {
  app.addHook("onSend", (request, reply, ...[payload, done]) => {
    work(request, reply);
    done(null, payload);
  });
}
