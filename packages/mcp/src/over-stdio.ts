import type { Readable, Writable } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { InTurns, ToolHost } from "./tool.ts";
import { toolServer } from "./tool-server.ts";

/** The longest accepted message, as over HTTP. */
const messageBytesMax = 1024 * 1024;

/** What serving the tools needs. */
export interface StdioOptions {
  readonly input: Readable;
  /** Nothing else may write to it. */
  readonly output: Writable;
  readonly host: Omit<ToolHost, "inTurns">;
  /** Called with errors of the protocol's library when it cannot read or send. */
  readonly onError: (error: Error) => void;
}

/**
 * Serves the tools over standard input and output. Resolves when the input ends; a connection that
 * ends earlier, because a message was too long or the output is closed, resolves to `broken`.
 */
export function mcpOverStdio(options: StdioOptions): Promise<"ended" | "broken"> {
  const { input, output, onError } = options;
  const host = { ...options.host, inTurns: inOneGo };
  const { promise, resolve } = Promise.withResolvers<"ended" | "broken">();
  const transport = new ToldTransport(input, output, () =>
    resolve(input.readableEnded ? "ended" : "broken"),
  );
  serveStdio(() => toolServer(host), {
    transport,
    maxSubscriptions: 0, // nothing ever changes
    onerror: onError,
  });
  return promise;
}

/** This process has no other callers. */
const inOneGo: InTurns = async (items, each) => items.forEach(each);

/** Reports that it closed; the library keeps `onclose` for itself. */
class ToldTransport extends StdioServerTransport {
  readonly #onClosed: () => void;

  constructor(input: Readable, output: Writable, onClosed: () => void) {
    super(input, output, { maxBufferSize: messageBytesMax });
    this.#onClosed = onClosed;
  }

  override async close(): Promise<void> {
    await super.close();
    this.#onClosed();
  }
}
