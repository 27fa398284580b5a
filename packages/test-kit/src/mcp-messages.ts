import type { PostOptions, TestReply, TestService } from "./test-service.ts";

/** A JSON-RPC request. */
export function rpc(method: string, params: object = {}): object {
  return { jsonrpc: "2.0", id: 1, method, params };
}

/** The request that calls a tool. */
export function toolCall(name: string, given: unknown = {}): object {
  return rpc("tools/call", { name, arguments: given });
}

/** The same of the revision 2026-07-28, which says in each message what its client is. */
export function current(message: object, version = "2026-07-28"): object {
  const { params, ...rest } = message as { readonly params: object };
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientInfo": { name: "assistant", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return { ...rest, params: { ...params, _meta } };
}

/** Sends a message to the tools, by a session or a key, perhaps with more header fields. */
export function post(
  service: TestService,
  caller: string | Pick<PostOptions, "token" | "headers">,
  body: object | string,
): Promise<TestReply> {
  const options = typeof caller === "string" ? { token: caller } : caller;
  return service.post("/mcp", { ...options, body });
}
