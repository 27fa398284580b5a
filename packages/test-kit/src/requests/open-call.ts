import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { AfterHook } from "../sample-account.ts";

/** A request whose body is sent by the test, part by part. */
export interface OpenCall {
  readonly send: (part: string | Buffer) => void;
  /** Completes the body; the reply with its status and its problem or other JSON. */
  readonly end: (part?: string | Buffer) => Promise<CallReply>;
  readonly reply: Promise<CallReply>;
  readonly hangUp: () => void;
}

/** A reply whose body is JSON; status 0: the connection was closed without one. */
interface CallReply {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What is sent before the body. */
export interface CallHead {
  readonly method: "POST" | "PUT";
  readonly path: string;
  readonly token: string;
  readonly type: string;
}

/** Opens a call on a connection of its own. Resolves when its head and `first` were written. */
export async function openCall(
  t: AfterHook,
  url: string,
  { method, path, token, type, first }: CallHead & { readonly first: string | Buffer },
): Promise<OpenCall> {
  const headers = { authorization: `Bearer ${token}`, "content-type": type };
  const call = request(new URL(path, url), { method, headers, agent: false });
  t.after(async () => void call.destroy());
  const { promise: reply, resolve } = Promise.withResolvers<CallReply>();
  call.on("error", () => resolve({ status: 0, body: {} }));
  call.on("response", (response: IncomingMessage) => {
    let text = "";
    response.on("data", (data) => {
      text += String(data);
    });
    response.on("end", () => {
      resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) });
    });
  });
  call.write(first);
  await once(call, "socket");
  return {
    send: (part) => void call.write(part),
    end: (part = "") => {
      call.end(part);
      return reply;
    },
    reply,
    hangUp: () => void call.destroy(),
  };
}
