import { type AddressInfo, createServer, type Server, Socket } from "node:net";

/** What a proxy does to what it passes. */
export type Fault =
  | { readonly kind: "pass" }
  /** Each chunk, in either direction, is passed on so much later. */
  | { readonly kind: "delay"; readonly ms: number }
  /** Connections are reset, and nobody listens: new ones are refused. */
  | { readonly kind: "refuse" }
  /** Connections are reset, and new ones as soon as they are made. */
  | { readonly kind: "reset" }
  /**
   * Connections are accepted, and nothing is passed on, not even that the peer is gone. One that
   * was ever half-open stays so: what was sent over it is lost.
   */
  | { readonly kind: "half-open" }
  /** Replies come in pieces of so many bytes, so much apart. */
  | { readonly kind: "trickle"; readonly bytes: number; readonly everyMs: number }
  /** After so many bytes of replies on a connection, counted from now, it is closed. */
  | { readonly kind: "cut"; readonly afterBytes: number };

/** A proxy of TCP connections that can be told to spoil them. */
export interface FaultProxy {
  readonly host: string;
  readonly port: number;
  /** The same address through the proxy. */
  readonly through: (url: string) => string;
  /** Changes what is done, for open connections and new ones. */
  readonly set: (fault: Fault) => void;
  /** How many connections were made to it. */
  readonly connections: () => number;
  /** How many chunks half-open connections did not pass on: that many statements wait, or more. */
  readonly lost: () => number;
  readonly close: () => Promise<void>;
}

/** What a proxy stands in front of. */
export interface ProxyTarget {
  readonly host: string;
  readonly port: number;
}

const host = "127.0.0.1";

/** Starts a proxy in front of an engine; it passes until it is told otherwise. */
export async function startFaultProxy(target: ProxyTarget): Promise<FaultProxy> {
  let fault: Fault = { kind: "pass" };
  let [made, lost] = [0, 0];
  const pairs = new Set<Pair>();
  const server = createServer((client) => {
    made++;
    const tools = { fault: () => fault, onLost: () => lost++ };
    const pair = new Pair(client, target, tools);
    pairs.add(pair);
    client.on("close", () => pairs.delete(pair));
    pair.changed();
  });
  const port = await listen(server);
  return {
    host,
    port,
    through: (url) => {
      const address = new URL(url);
      address.host = `${host}:${port}`;
      return address.href;
    },
    set: (next) => {
      if (next.kind === "refuse" && server.listening) server.close();
      if (next.kind !== "refuse" && !server.listening) server.listen(port, host);
      fault = next;
      for (const pair of pairs) pair.changed();
    },
    connections: () => made,
    lost: () => lost,
    close: async () => {
      for (const pair of pairs) pair.destroy();
      await new Promise<void>((done) => {
        server.close(() => done());
      });
    },
  };
}

interface PairTools {
  readonly fault: () => Fault;
  readonly onLost: () => void;
}

/** A client's connection and the one to the engine that belongs to it. */
class Pair {
  readonly #client: Socket;
  readonly #engine: Socket;
  readonly #fault: () => Fault;
  readonly #onLost: () => void;
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Bytes of replies since the fault was set. */
  #replied = 0;
  #isHalfOpen = false;
  /** Chunks of each direction leave in the order in which they came. */
  #ends = { request: Promise.resolve(), reply: Promise.resolve() };

  constructor(client: Socket, { host, port }: ProxyTarget, { fault, onLost }: PairTools) {
    this.#client = client;
    this.#fault = fault;
    this.#onLost = onLost;
    this.#engine = new Socket();
    this.#engine.connect(port, host);
    for (const socket of [client, this.#engine]) {
      socket.setNoDelay(true);
      socket.on("error", () => undefined); // its close follows
    }
    client.on("data", (chunk: Buffer) => this.#pass("request", chunk));
    this.#engine.on("data", (chunk: Buffer) => this.#pass("reply", chunk));
    client.on("close", () => this.#engine.destroy());
    this.#engine.on("close", () => this.#engineClosed());
  }

  /** Does to the open connection what the fault says. */
  changed(): void {
    this.#replied = 0;
    const { kind } = this.#fault();
    if (kind === "half-open") this.#isHalfOpen = true;
    if (kind === "reset" || kind === "refuse") this.destroy();
  }

  destroy(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    if (!this.#client.destroyed) this.#client.resetAndDestroy();
    this.#engine.destroy();
  }

  #engineClosed(): void {
    if (this.#isHalfOpen) return;
    void this.#ends.reply.then(() => this.#client.end());
  }

  #pass(direction: "request" | "reply", chunk: Buffer): void {
    this.#ends[direction] = this.#ends[direction].then(() => this.#send(direction, chunk));
  }

  async #send(direction: "request" | "reply", chunk: Buffer): Promise<void> {
    if (this.#isHalfOpen) return this.#onLost();
    const to = direction === "request" ? this.#engine : this.#client;
    const fault = this.#fault();
    switch (fault.kind) {
      case "pass":
        to.write(chunk);
        return;
      case "delay":
        await this.#wait(fault.ms);
        to.write(chunk);
        return;
      case "reset":
      case "refuse":
        this.destroy();
        return;
      case "half-open":
        return;
      case "trickle":
        if (direction === "request") to.write(chunk);
        else await this.#trickle(chunk, fault);
        return;
      case "cut":
        if (direction === "request") to.write(chunk);
        else this.#cut(chunk, fault.afterBytes);
    }
  }

  async #trickle(chunk: Buffer, fault: Extract<Fault, { kind: "trickle" }>): Promise<void> {
    for (let from = 0; from < chunk.length && this.#fault() === fault; from += fault.bytes) {
      this.#client.write(chunk.subarray(from, from + fault.bytes));
      await this.#wait(fault.everyMs);
      if (this.#fault() !== fault) this.#client.write(chunk.subarray(from + fault.bytes));
    }
  }

  #cut(chunk: Buffer, afterBytes: number): void {
    const left = afterBytes - this.#replied;
    this.#replied += chunk.length;
    if (chunk.length < left) {
      this.#client.write(chunk);
      return;
    }
    // Its last bytes arrive first: a reset would overtake them.
    this.#client.end(chunk.subarray(0, left));
    this.#engine.destroy();
  }

  #wait(ms: number): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        done();
      }, ms);
      this.#timers.add(timer);
    });
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((done) => {
    server.listen(0, host, done);
  });
  return (server.address() as AddressInfo).port;
}
