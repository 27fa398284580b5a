import type { Readable, Writable } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { InTurns, ToolSurroundings } from "./tool.ts";
import { toolServer } from "./tool-server.ts";

/** The longest message that is read, as over HTTP. */
const messageBytesMax = 1024 * 1024;

/** What the tools are served over and with. */
export interface StdioOptions {
  readonly input: Readable;
  /** Nothing else may write to it. */
  readonly output: Writable;
  readonly surroundings: Omit<ToolSurroundings, "inTurns">;
  /** Told of what the protocol's library could not read or send. */
  readonly onError: (error: Error) => void;
}

/**
 * Serves the tools over standard input and output. Resolves when the input ended; a connection that
 * ends before, since a message was too long or the output is gone, resolves to `broken`.
 */
export function mcpOverStdio(options: StdioOptions): Promise<"ended" | "broken"> {
  const { input, output, onError } = options;
  const surroundings = { ...options.surroundings, inTurns: inOneGo };
  const { promise, resolve } = Promise.withResolvers<"ended" | "broken">();
  const transport = new ToldTransport(input, output, () =>
    resolve(input.readableEnded ? "ended" : "broken"),
  );
  serveStdio(() => toolServer(surroundings), {
    transport,
    maxSubscriptions: 0, // nothing ever changes that could be told
    onerror: onError,
  });
  return promise;
}

/** Nobody else waits in this process. */
const inOneGo: InTurns = async (items, each) => items.forEach(each);

/** Tells that it closed; the library keeps `onclose` for itself. */
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
