import {
  createMcpHandler,
  isLegacyRequest,
  localhostAllowedOrigins,
  validateOriginHeader,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { ToolHost } from "./tool.ts";
import { toolServer } from "./tool-server.ts";

/** One message of the protocol, received by POST. */
export interface McpCall {
  /** Header fields of the protocol, and others, which are ignored. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body's value: one message, not a batch. */
  readonly message: unknown;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** The reply to send. */
export interface McpReply {
  readonly status: number;
  /** Null: no body. */
  readonly contentType: string | null;
  readonly body: string;
}

/** What the protocol requires to be accepted; every reply is one JSON document anyway. */
const accept = "application/json, text/event-stream";

/**
 * Replies to one message of Streamable HTTP without state: revision 2026-07-28, and the stateless
 * form of earlier ones.
 * @throws the signal's reason when it aborts.
 */
export async function mcpOverHttp(host: ToolHost, call: McpCall): Promise<McpReply> {
  const request = new Request("http://sightline.invalid/mcp", {
    method: "POST",
    headers: { ...call.headers, accept, "content-type": "application/json" },
    signal: call.signal,
  });
  const parsedBody = call.message;
  const isEarlier = await isLegacyRequest(request, parsedBody);
  const answered = isEarlier
    ? earlierRevisions(host, request, parsedBody)
    : currentRevision(host, request, parsedBody);
  const response = await orAborted(call.signal, answered);
  return {
    status: response.status,
    contentType: response.headers.get("content-type"),
    body: await response.text(),
  };
}

async function currentRevision(
  host: ToolHost,
  request: Request,
  parsedBody: unknown,
): Promise<Response> {
  let told: unknown; // of rejections too, which are not errors of ours
  const handler = createMcpHandler(() => toolServer(host), {
    legacy: "reject",
    maxSubscriptions: 0, // an open stream would have nothing to report
    onerror: (error) => {
      told = error;
    },
  });
  const response = await handler.fetch(request, { parsedBody });
  if (response.status >= 500) host.onUnforeseen(told);
  return response;
}

/** The library never replies to a request whose client is gone. */
async function orAborted<Value>(signal: AbortSignal, value: Promise<Value>): Promise<Value> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const leave = () => reject(signal.reason);
  signal.addEventListener("abort", leave, { once: true });
  try {
    return await Promise.race([value, aborted]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

/** By hand, since the library's own stateless handler replies with an event stream. */
async function earlierRevisions(
  host: ToolHost,
  request: Request,
  parsedBody: unknown,
): Promise<Response> {
  const server = toolServer(host);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const close = () => void server.close();
  request.signal.addEventListener("abort", close, { once: true });
  try {
    await server.connect(transport);
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    request.signal.removeEventListener("abort", close);
    await server.close();
  }
}

/**
 * Whether a request with this Origin field is allowed: without one, or from this machine. Any other
 * origin may be a page that rebound its host name to this address.
 */
export function isAllowedOrigin(origin: string | undefined): boolean {
  return validateOriginHeader(origin, localhostAllowedOrigins()).ok;
}
