import { Pieces } from "../platform/pieces.ts";
import { inTurns } from "../platform/turns.ts";
import type { CallerServices } from "./app-services.ts";
import { acceptsGzip, compressedBytesMin, gzippedPieces } from "./content-coding.ts";
import { countedBytesMin } from "./replies-under-way.ts";
import type { AskedQuestion, Reply, UnwrittenReply } from "./route.ts";

/** A question as it came in from a caller who is known. */
export interface AnalyticsCall {
  readonly accountId: string;
  readonly asked: AskedQuestion;
  /** Aborts when nobody waits for the reply any more. */
  readonly signal: AbortSignal;
  /** The Accept-Encoding field. */
  readonly encodings: string | undefined;
}

const contentType = "application/json; charset=utf-8";
const compressible = { Vary: "Accept-Encoding" };

/** The reply to a question, from the cache or from the facts, compressed when that pays. */
export async function answered(
  services: CallerServices,
  { accountId, asked, signal, encodings }: AnalyticsCall,
): Promise<Reply> {
  const { facts, replyCache, repliesUnderWay } = services;
  const name = keptName(await facts.version(accountId), accountId, asked);
  const reply = (coding: string, make: (signal: AbortSignal) => Promise<Pieces>) =>
    name === null ? make(signal) : replyCache.reply(`${name}${coding}`, signal, make);
  const plain = await reply("", async (aborted) => {
    const found = await asked.answer(facts, accountId, aborted);
    return found instanceof Pieces ? found : written(services, { accountId, found, aborted });
  });
  if (!isCompressed(plain, encodings)) return plainReply(plain);
  const compressed = await reply("\ngzip", async (aborted) => {
    const release = repliesUnderWay.hold(accountId, plain);
    return gzippedPieces(plain, aborted).finally(release);
  });
  return compressedReply(compressed);
}

interface Unwritten {
  readonly accountId: string;
  readonly found: UnwrittenReply;
  readonly aborted: AbortSignal;
}

/** Memory for a large reply is taken before it is written. */
async function written(
  { repliesUnderWay }: CallerServices,
  { accountId, found: { bytesMost, write }, aborted }: Unwritten,
): Promise<Pieces> {
  if (bytesMost < countedBytesMin) return atOnce(write());
  const release = repliesUnderWay.hold(accountId, { heldBytes: bytesMost });
  return inTurns(write(), aborted).finally(release);
}

function atOnce<Result>(work: Iterator<void, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

interface Named {
  readonly accountId: string;
  readonly version: string;
  readonly name: string;
}

/** What a question's last reply was kept under: most are asked again before the facts change. */
const lastNames = new WeakMap<AskedQuestion, Named>();

/** What a reply is kept under; null while the account has no facts. */
function keptName(version: string | null, accountId: string, asked: AskedQuestion) {
  if (version === null) return null;
  const last = lastNames.get(asked);
  if (last?.version === version && last.accountId === accountId) return last.name;
  const name = `${accountId}\n${version}\n${asked.key}`;
  lastNames.set(asked, { accountId, version, name });
  return name;
}

function isCompressed(plain: Pieces, encodings: string | undefined): boolean {
  return plain.length >= compressedBytesMin && acceptsGzip(encodings);
}

function plainReply(body: Pieces): Reply {
  if (body.length < compressedBytesMin) return { contentType, body };
  return { contentType, body, headers: compressible };
}

function compressedReply(body: Pieces): Reply {
  return { contentType, body, headers: { ...compressible, "Content-Encoding": "gzip" } };
}
