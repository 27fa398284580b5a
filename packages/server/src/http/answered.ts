import type { AppServices } from "./app-services.ts";
import { acceptsGzip, compressedBytesMin, gzipped } from "./content-coding.ts";
import type { AskedQuestion, Reply } from "./route.ts";

/** A question as it came in from a caller who is known. */
export interface AnalyticsCall {
  readonly accountId: string;
  readonly asked: AskedQuestion;
  /** Aborts when nobody waits for the reply any more. */
  readonly signal: AbortSignal;
  /** The Accept-Encoding field. */
  readonly encodings: string | undefined;
}

/** The reply to a question, from the cache or from the facts, compressed when that pays. */
export async function answered(
  { facts, replyCache }: AppServices,
  { accountId, asked, signal, encodings }: AnalyticsCall,
): Promise<Reply> {
  const make = async (aborted: AbortSignal): Promise<Buffer> =>
    Buffer.from(await asked.answer(facts, accountId, aborted));
  const version = facts.version(accountId);
  const reply = (coding: string, made: typeof make) =>
    version === null
      ? made(signal)
      : replyCache.reply(`${accountId}\n${version}\n${coding}\n${asked.key}`, signal, made);
  const plain = await reply("", make);
  const contentType = "application/json; charset=utf-8";
  if (plain.length < compressedBytesMin) return { contentType, body: plain };
  const headers = { Vary: "Accept-Encoding" };
  if (!acceptsGzip(encodings)) return { contentType, body: plain, headers };
  const body = await reply("gzip", () => gzipped(plain));
  return { contentType, body, headers: { ...headers, "Content-Encoding": "gzip" } };
}
