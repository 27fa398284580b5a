import { hash } from "node:crypto";
import type { CallerServices } from "./app-services.ts";
import { acceptsGzip, compressedBytesMin, gzippedReply } from "./content-coding.ts";
import type { ParsedRequest, Reply } from "./route.ts";

/** A request of a caller who is known. */
export interface QuestionCall {
  readonly accountId: string;
  /** The route's address. */
  readonly path: string;
  readonly parsed: ParsedRequest;
  /** Aborts when nobody waits for the reply any more. */
  readonly signal: AbortSignal;
  /** The Accept-Encoding field. */
  readonly encodings: string | undefined;
}

/** A reply to a question: its bytes may be shared with other callers, and nobody changes them. */
export interface QuestionReply extends Reply {
  readonly body: Buffer;
}

const contentType = "application/json; charset=utf-8";
const compressible = { Vary: "Accept-Encoding" };

/** The reply to a question, from the cache or from the facts, compressed when that pays. */
export async function cachedReply(
  services: CallerServices,
  { accountId, path, parsed, signal, encodings }: QuestionCall,
): Promise<QuestionReply> {
  const { facts, replyCache, repliesUnderWay } = services;
  const version = await facts.version(accountId, signal);
  // A filter may name 10,000 prompts: keys are hashed.
  const name = hash("sha256", `${accountId}\n${version}\n${path}\n${parsed.key}`, "base64");
  const reply = (coding: string, make: (aborted: AbortSignal) => Promise<Buffer>) =>
    version === null || parsed.showsTexts
      ? make(signal)
      : replyCache.reply(`${name}${coding}`, signal, make);
  const plain = await reply("", (aborted) => {
    return parsed.reply({ services, accountId, signal: aborted });
  });
  if (plain.length < compressedBytesMin) return { contentType, body: plain };
  if (!acceptsGzip(encodings)) return { contentType, body: plain, headers: compressible };
  const compressed = await reply("gzip", async (aborted) => {
    const release = repliesUnderWay.hold(accountId, plain);
    return gzippedReply(plain, aborted).finally(release);
  });
  return {
    contentType,
    body: compressed,
    headers: { ...compressible, "Content-Encoding": "gzip" },
  };
}
