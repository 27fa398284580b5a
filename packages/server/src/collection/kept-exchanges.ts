import { promisify } from "node:util";
import { constants, zstdCompress, zstdDecompress } from "node:zlib";
import type { Exchange } from "./adapter.ts";
import type { LeasedJob } from "./store/collection-store.ts";
import { replyBytesMax } from "./transport/read-reply.ts";

/** An exchange as it is kept beside the record. */
export interface KeptExchange extends Exchange {
  /** Which attempt of the job made it, from 0: what earlier ones cost is settled. */
  readonly attempt: number;
}

/** Some replies of the longest kind. */
const keptBytesMax = 8 * replyBytesMax;
const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** The exchanges of a job as they are kept: zstd of JSON. */
export function packed(exchanges: readonly KeptExchange[]): Promise<Uint8Array> {
  const options = { params: { [constants.ZSTD_c_compressionLevel]: 6 } };
  return compress(Buffer.from(JSON.stringify(exchanges)), options);
}

/**
 * What was kept; null: it is damaged, for good.
 * @throws what may pass, such as a lack of memory: an answer that was paid for is not to end as
 * failed by it.
 */
export async function unpacked(body: Uint8Array): Promise<readonly KeptExchange[] | null> {
  try {
    const bytes = await decompress(body, { maxOutputLength: keptBytesMax });
    return JSON.parse(bytes.toString("utf8")) as readonly KeptExchange[];
  } catch (error) {
    if (isDamage(error)) return null;
    throw error;
  }
}

/** Cut off, or longer than what is ever kept. */
const cutOrTooLong = ["Z_BUF_ERROR", "ERR_BUFFER_TOO_LARGE"];

/** Whether the bytes are at fault that were unpacked, and not the machine. */
export function isDamage(error: unknown): boolean {
  if (error instanceof SyntaxError) return true;
  const { code } = error as { readonly code?: unknown };
  if (typeof code !== "string" || code === "ZSTD_error_memory_allocation") return false;
  return code.startsWith("ZSTD_error_") || cutOrTooLong.includes(code);
}

/** How many of the exchanges are of requests that a vendor bills. */
export function paidOf(exchanges: readonly Exchange[]): number {
  return exchanges.filter(({ request }) => request.isPaid).length;
}

/** Whether the reply to the last paid request that a job sent is among those that are kept. */
export function isReplyKept(
  exchanges: readonly KeptExchange[],
  { sent, replied, attempts }: Pick<LeasedJob, "sent" | "replied" | "attempts">,
): boolean {
  const last = exchanges.filter(({ request }) => request.isPaid)[sent - 1];
  if (last === undefined) return false;
  // A failure stays until the next reply is kept: where none is noted, it may be of a try before.
  return replied === sent || last.attempt === attempts;
}

/** The exchanges up to the paid one of this number, with what followed it unpaid. */
export function firstPaid<Kept extends Exchange>(
  exchanges: readonly Kept[],
  paid: number,
): readonly Kept[] {
  let seen = 0;
  const end = exchanges.findIndex(({ request }) => request.isPaid && ++seen > paid);
  return end === -1 ? exchanges : exchanges.slice(0, end);
}
