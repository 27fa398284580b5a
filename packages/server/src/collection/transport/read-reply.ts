import type { IncomingMessage } from "node:http";
import { PassThrough, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { VendorReply } from "../adapter.ts";

/** The most bytes of a reply, as it is sent and when it is decoded. */
export const replyBytesMax = 10_000_000;

/** A reply that is not taken; its message is for people. */
export class ReplyFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ReplyFault";
  }
}

/** By the names of RFC 9110, whose deflate has a header and a checksum (RFC 1950). */
const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate,
  identity: () => new PassThrough(),
};

/** The encodings that are decoded, for the header field `accept-encoding`. */
export const acceptedEncodings = "gzip, br, deflate";

/** Header fields that adapters read. Others are not kept: they may be of any size and content. */
const keptFields =
  /^(retry-after(-ms)?|location|content-type|(x-)?request-id|[a-z-]{0,40}ratelimit-[a-z-]{1,40})$/;
/** A redirect's address is the longest. */
const fieldCharactersMax = 8_192;

/**
 * Reads a reply to its end, decoded, and stops as soon as it is larger than `replyBytesMax`: what a
 * small reply unpacks to is never in memory beyond that.
 * @throws ReplyFault, or what the connection or the decoder says.
 */
export async function readReply(message: IncomingMessage): Promise<VendorReply> {
  if (Number(message.headers["content-length"] ?? 0) > replyBytesMax) throw tooLarge();
  const encoding = (message.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  if (decoder === undefined) throw new ReplyFault("the reply is encoded in an unknown way");
  const parts: Buffer[] = [];
  await pipeline(message, bounded, decoder(), bounded, async (decoded) => {
    for await (const part of decoded as AsyncIterable<Buffer>) parts.push(part);
  });
  const body = new TextDecoder().decode(Buffer.concat(parts));
  return { status: message.statusCode ?? 0, headers: keptHeaders(message), body };
}

async function* bounded(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const part of parts) {
    bytes += part.length;
    if (bytes > replyBytesMax) throw tooLarge();
    yield part;
  }
}

function tooLarge(): ReplyFault {
  return new ReplyFault(`the reply is larger than ${replyBytesMax / 1_000_000} MB`);
}

function keptHeaders({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  const kept = Object.entries(headers).flatMap(([name, value]) => {
    const text = Array.isArray(value) ? value.join(", ") : (value ?? "");
    return keptFields.test(name) ? [[name, text.slice(0, fieldCharactersMax)] as const] : [];
  });
  return Object.fromEntries(kept);
}
