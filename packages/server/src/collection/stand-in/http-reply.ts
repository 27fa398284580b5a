import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import type { StandInReply } from "./vendor-stand-in.ts";

const bodyBytesMax = 4 * 1024 * 1024;
/** Below this, compressing gains nothing. */
const gzipBytesMin = 1_024;

/** A request's JSON; undefined: there is none, or it is not valid. Throws above 4 MiB. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > bodyBytesMax) throw new RangeError("the body has more than 4 MiB");
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return undefined;
  }
}

/** Sends a reply as JSON, compressed where the request takes that. */
export function sendReply(response: ServerResponse, reply: Omit<StandInReply, "charge">): void {
  const { status, headers = {}, body } = reply;
  if (body === undefined) {
    response.writeHead(status, headers).end();
    return;
  }
  const bytes = Buffer.from(JSON.stringify(body));
  const accepted = response.req.headers["accept-encoding"] ?? "";
  const type = { ...headers, "content-type": "application/json" };
  if (bytes.length < gzipBytesMin || !/\bgzip\b/.test(String(accepted))) {
    response.writeHead(status, { ...type, "content-length": bytes.length }).end(bytes);
    return;
  }
  const packed = gzipSync(bytes);
  const length = { "content-encoding": "gzip", "content-length": packed.length };
  response.writeHead(status, { ...type, ...length }).end(packed);
}

/** Sends the first half of a reply, and then loses the connection. */
export function cutReply(response: ServerResponse, { status, body }: StandInReply): void {
  const bytes = Buffer.from(JSON.stringify(body));
  const head = { "content-type": "application/json", "content-length": bytes.length };
  response.writeHead(status, head);
  const half = bytes.subarray(0, Math.floor(bytes.length / 2));
  response.write(half, () => response.destroy());
}

/** Loses the connection before any reply: the caller sees a reset. */
export function resetConnection(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
}
