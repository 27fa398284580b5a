import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createGzip, gzip } from "node:zlib";

/** Smaller replies fit into a packet or two as they are. */
export const compressedBytesMin = 4_096;

/** JSON of numbers shrinks to a tenth at any level; higher ones take several times as long. */
const replyLevel = 3;

const compress = promisify(gzip);

/** The reply in gzip; made on a thread of the pool. What is kept for ever is worth a level of 9. */
export function gzipped(reply: Buffer, level = replyLevel): Promise<Buffer> {
  return compress(reply, { level });
}

/** A little at a time: neither a copy of the reply nor one long task for a thread. */
const gzipChunkBytes = 65_536;

/** A reply in gzip. @throws the signal's reason when it aborts. */
export async function gzippedReply(plain: Buffer, signal: AbortSignal): Promise<Buffer> {
  if (plain.length <= gzipChunkBytes) return gzipped(plain);
  const parts: Buffer[] = [];
  try {
    await pipeline(
      Readable.from(chunks(plain, gzipChunkBytes)),
      createGzip({ level: replyLevel, chunkSize: gzipChunkBytes }),
      async (compressed: AsyncIterable<Buffer>) => {
        for await (const part of compressed) parts.push(part);
      },
      { signal },
    );
  } catch (error) {
    signal.throwIfAborted(); // the pipeline has an error of its own for that
    throw error;
  }
  return Buffer.concat(parts);
}

/** Whether an Accept-Encoding field takes gzip (RFC 9110, 12.5.3). Without the field: no. */
export function acceptsGzip(field: string | undefined): boolean {
  if (field === undefined) return false;
  const weights = new Map(
    field.split(",").map((item): [coding: string, weight: number] => {
      const [coding = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
      return [coding, Number(weight)];
    }),
  );
  return (weights.get("gzip") ?? weights.get("x-gzip") ?? weights.get("*") ?? 0) > 0;
}

/** Cuts bytes into chunks of at most `bytesMax`; nothing is copied. */
export function* chunks(bytes: Buffer, bytesMax: number): Generator<Buffer, void, void> {
  for (let from = 0; from < bytes.length; from += bytesMax) {
    yield bytes.subarray(from, from + bytesMax);
  }
}
