import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { request as requestOverTls } from "node:https";
import { text } from "node:stream/consumers";
import type { TestReply } from "@sightline/test-kit/test-service.ts";

/** What is sent through a proxy. */
export interface FrontRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Asks as a client of a proxy does, at its address; any certificate will do. */
export async function askFront(
  origin: string,
  { method, path, headers = {}, body }: FrontRequest,
): Promise<TestReply> {
  const url = new URL(path, origin);
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const options = { method, headers: { ...headers, ...length }, agent: false } as const;
  const sent =
    url.protocol === "https:"
      ? requestOverTls(url, { ...options, rejectUnauthorized: false })
      : request(url, options);
  // A server that refuses a long body may hang up before all of it was sent.
  sent.on("error", () => undefined);
  const replied = once(sent, "response") as Promise<[IncomingMessage]>;
  sent.end(body);
  const [reply] = await replied;
  const replyBody = await text(reply);
  return {
    status: reply.statusCode ?? 0,
    headers: reply.headers,
    body: replyBody,
    json: <Body>() => JSON.parse(replyBody) as Body,
  };
}
