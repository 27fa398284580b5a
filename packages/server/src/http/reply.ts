import { hash } from "node:crypto";
import { finished, Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { FastifyReply } from "fastify";
import { inTurns } from "../platform/turns.ts";
import { acceptsGzip, chunks, compressedBytesMin, gzippedReply } from "./content-coding.ts";
import type { HttpServices, Surface } from "./http-services.ts";
import type { ParsedQuestion, Reply, ReplyCall } from "./operation.ts";
import { countedBytesMin, type PendingReplyBytes } from "./pending-reply-bytes.ts";

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
interface CountedReply {
  readonly accountId: string;
  readonly made: Reply;
}

/**
 * Sends a reply, which is under way until the client has it or is gone.
 * @throws ServiceError overloaded when too many bytes of replies are under way.
 */
export function sendCounted(
  { pendingReplyBytes }: { readonly pendingReplyBytes: PendingReplyBytes },
  reply: FastifyReply,
  { accountId, made }: CountedReply,
): FastifyReply {
  if (made.body.length < countedBytesMin) return sendReply(reply, made);
  const body = Buffer.isBuffer(made.body) ? made.body : Buffer.from(made.body);
  finished(reply.raw, pendingReplyBytes.hold(accountId, body));
  return sendReply(reply, { ...made, body });
}

/** TRICKY: a connection that takes all it is given would be given all of it in one round. */
async function* oneARound(body: Buffer): AsyncGenerator<Buffer> {
  for (const chunk of chunks(body, writtenBytesMax)) {
    yield chunk;
    await setImmediate();
  }
}

/** A reply whose facts are there, and that may take long to write. */
interface Writing {
  /** The most bytes that it takes, about. */
  readonly bytesMax: number;
  /** Writes it; may be paused at each step. */
  readonly steps: Iterator<void, Buffer>;
}

/**
 * Writes a reply in slices of the event loop, after its memory was reserved.
 * @throws ServiceError overloaded when too many bytes of replies are under way.
 */
export function writeInSlices(
  { pendingReplyBytes, accountId, signal }: ReplyCall,
  { bytesMax, steps }: Writing,
): Promise<Buffer> {
  const release = pendingReplyBytes.hold(accountId, { length: bytesMax });
  return inTurns(steps, signal).finally(release);
}

/** A request of a caller who is known. */
interface QuestionCall {
  readonly accountId: string;
  /** The operation's address. */
  readonly path: string;
  readonly parsed: ParsedQuestion;
  /** Aborts when nobody waits for the reply any more. */
  readonly signal: AbortSignal;
  /** The Accept-Encoding field. */
  readonly encodings: string | undefined;
}

/** A reply to a question: its bytes may be shared with other callers, and nobody changes them. */
interface QuestionReply extends Reply {
  readonly body: Buffer;
}

const contentType = "application/json; charset=utf-8";
const compressible = { Vary: "Accept-Encoding" };

/** What replies are made and cached with. */
export interface Caching extends Pick<Surface<object>, "pendingReplyBytes"> {
  readonly services: Pick<HttpServices, "facts" | "replyCache">;
}

/** The reply to a question, from the cache or from the facts, compressed when that pays. */
export async function cachedReply(
  { services, pendingReplyBytes }: Caching,
  { accountId, path, parsed, signal, encodings }: QuestionCall,
): Promise<QuestionReply> {
  const { facts, replyCache } = services;
  const version = await facts.version(accountId, signal);
  // A filter may name 10,000 prompts: keys are hashed.
  const name = hash("sha256", `${accountId}\n${version}\n${path}\n${parsed.key}`, "base64");
  const reply = (coding: string, make: (aborted: AbortSignal) => Promise<Buffer>) =>
    version === null || parsed.showsTexts
      ? make(signal)
      : replyCache.reply(`${name}${coding}`, signal, make);
  const plain = await reply("", (aborted) => {
    return parsed.reply({ accountId, signal: aborted, pendingReplyBytes });
  });
  const { headers = {} } = parsed;
  if (plain.length < compressedBytesMin) return { contentType, body: plain, headers };
  if (!acceptsGzip(encodings)) {
    return { contentType, body: plain, headers: { ...headers, ...compressible } };
  }
  const compressed = await reply("gzip", async (aborted) => {
    const release = pendingReplyBytes.hold(accountId, plain);
    return gzippedReply(plain, aborted).finally(release);
  });
  return {
    contentType,
    body: compressed,
    headers: { ...headers, ...compressible, "Content-Encoding": "gzip" },
  };
}
