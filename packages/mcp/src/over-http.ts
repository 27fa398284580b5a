import {
  createMcpHandler,
  isLegacyRequest,
  localhostAllowedOrigins,
  validateOriginHeader,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { ToolSurroundings } from "./tool.ts";
import { toolServer } from "./tool-server.ts";

/** One message of the protocol that came by POST. */
export interface McpCall {
  /** Header fields that the protocol gives a meaning, and others, which are not looked at. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body's value: one message, not a batch. */
  readonly message: unknown;
  /** Aborts when the client hung up. */
  readonly signal: AbortSignal;
}

/** What is sent back. */
export interface McpReply {
  readonly status: number;
  /** Null: no body. */
  readonly contentType: string | null;
  readonly body: string;
}

/** What the protocol wants to be accepted; every reply is one JSON document all the same. */
const accept = "application/json, text/event-stream";

/**
 * Answers one message of Streamable HTTP without a memory of any other: revision 2026-07-28, and
 * the stateless way of those before it.
 * @throws the signal's reason when it aborts.
 */
export async function mcpOverHttp(
  surroundings: ToolSurroundings,
  call: McpCall,
): Promise<McpReply> {
  const request = new Request("http://sightline.invalid/mcp", {
    method: "POST",
    headers: { ...call.headers, accept, "content-type": "application/json" },
    signal: call.signal,
  });
  const parsedBody = call.message;
  const isEarlier = await isLegacyRequest(request, parsedBody);
  const answered = isEarlier
    ? earlierRevisions(surroundings, request, parsedBody)
    : currentRevision(surroundings, request, parsedBody);
  const response = await orAborted(call.signal, answered);
  return {
    status: response.status,
    contentType: response.headers.get("content-type"),
    body: await response.text(),
  };
}

async function currentRevision(
  surroundings: ToolSurroundings,
  request: Request,
  parsedBody: unknown,
): Promise<Response> {
  let told: unknown; // of refusals too, which are no mistake of ours
  const handler = createMcpHandler(() => toolServer(surroundings), {
    legacy: "reject",
    maxSubscriptions: 0, // a stream that stays open has nothing to tell
    onerror: (error) => {
      told = error;
    },
  });
  const response = await handler.fetch(request, { parsedBody });
  if (response.status >= 500) surroundings.onUnforeseen(told);
  return response;
}

/** The library leaves a request whose client is gone unanswered for ever. */
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

/** By hand, since the library's own stateless way answers with an event stream. */
async function earlierRevisions(
  surroundings: ToolSurroundings,
  request: Request,
  parsedBody: unknown,
): Promise<Response> {
  const server = toolServer(surroundings);
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
 * Whether a request may come from where its Origin field says: from no page of a browser, or from
 * one of this machine. Any other origin may be a page that rebound its name to this address.
 */
export function isAllowedOrigin(origin: string | undefined): boolean {
  return validateOriginHeader(origin, localhostAllowedOrigins()).ok;
}
