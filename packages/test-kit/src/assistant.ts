import {
  type CallToolResult,
  Client,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import type { AfterHook } from "./sample-account.ts";

/** How the protocol's revision is found: that before 2026-07-28, or the newest that both know. */
export type Negotiation = "legacy" | "auto";

/** The protocol's own client, connected; the test's end closes it. */
export async function connectedClient(
  t: AfterHook,
  transport: Transport,
  mode: Negotiation = "auto",
): Promise<Client> {
  const information = { name: "assistant", version: "1.0.0" };
  const client = new Client(information, { versionNegotiation: { mode } });
  await client.connect(transport);
  t.after(() => client.close());
  return client;
}

/** The service that the client calls, and how. */
export interface HttpAssistant {
  /** The service's base address. */
  readonly url: string;
  /** A session or a key. */
  readonly token: string;
  readonly mode?: Negotiation;
}

/** The client over HTTP. */
export function httpClient(
  t: AfterHook,
  { url, token, mode = "auto" }: HttpAssistant,
): Promise<Client> {
  const headers = { authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", url), {
    requestInit: { headers },
  });
  return connectedClient(t, transport, mode);
}

/** A tool's reply; the client has checked its data against the tool's output schema. */
export interface Told {
  readonly isError: boolean;
  /** The gist, or the error. */
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>> | undefined;
}

/** Calls a tool. @throws when what is sent as text differs from what is sent as data. */
export async function call(client: Client, name: string, given: object = {}): Promise<Told> {
  const result: CallToolResult = await client.callTool({ name, arguments: { ...given } });
  const texts = result.content.map((part) => (part.type === "text" ? part.text : part.type));
  const data = result.structuredContent as Told["data"];
  const expected = data === undefined ? [] : [JSON.stringify(data)];
  const [text = "", ...rest] = texts;
  if (JSON.stringify(rest) !== JSON.stringify(expected)) {
    throw new Error(`text and data differ: ${JSON.stringify(rest)}`);
  }
  return { isError: result.isError === true, text, data };
}
