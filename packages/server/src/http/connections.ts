import { BlockList, isIPv6, type Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Clock } from "../platform/clock.ts";
import { ServiceError } from "../platform/service-error.ts";
import { addressGroup } from "./callers.ts";
import { refuse } from "./hooks.ts";
import type { HttpServices } from "./http-services.ts";
import { SlowBodies } from "./slow-bodies.ts";

/** A NAT of 80 people whose browsers open six connections each has room. */
const connectionsPerAddressMax = 512;

/** A client that takes nothing for so long is gone, or means to hold our memory. */
const stalledMs = 60_000;

interface ConnectionsOptions {
  readonly clock: Clock;
  /** Their connections are those of all clients behind them, and not bounded. */
  readonly trustedProxies: readonly string[];
  readonly perAddressMax: number;
}

/** What was seen of a connection that has bytes waiting for its client; 0 bytes: none wait. */
interface Seen {
  readonly written: number;
  readonly waiting: number;
  readonly sinceMs: number;
}

/** Bounds the open connections of an address, and closes those whose clients take nothing. */
class Connections {
  readonly #options: ConnectionsOptions;
  readonly #proxies: BlockList;
  readonly #seen = new Map<Socket, Seen>();
  /** Open connections by address, or by network of IPv6. */
  readonly #counts = new Map<string, number>();
  readonly #refused = new WeakSet<Socket>();

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#proxies = blockList(options.trustedProxies);
  }

  /**
   * A connection was opened. One too many has its requests refused; twice as many are closed
   * without a reply, since a refusal costs memory too.
   */
  add(socket: Socket): void {
    const address = socket.remoteAddress ?? "";
    this.#seen.set(socket, { written: 0, waiting: 0, sinceMs: 0 });
    socket.once("close", () => this.#seen.delete(socket));
    if (this.#proxies.check(address, isIPv6(address) ? "ipv6" : "ipv4")) return;
    const group = addressGroup(address);
    const count = (this.#counts.get(group) ?? 0) + 1;
    this.#counts.set(group, count);
    socket.once("close", () => this.#leave(group));
    const { perAddressMax } = this.#options;
    if (count > perAddressMax) this.#refused.add(socket);
    if (count > 2 * perAddressMax) socket.destroy();
  }

  /** Whether the requests of a connection are refused. */
  isRefused(socket: Socket): boolean {
    return this.#refused.has(socket);
  }

  /** Closes connections whose clients took none of what waits for them for a minute. */
  closeStalled(): void {
    const nowMs = this.#options.clock.elapsed();
    for (const [socket, last] of this.#seen) {
      const { bytesWritten: written, writableLength: waiting } = socket;
      const isSame = waiting > 0 && waiting === last.waiting && written === last.written;
      if (!isSame) this.#seen.set(socket, { written, waiting, sinceMs: nowMs });
      else if (nowMs - last.sinceMs >= stalledMs) socket.destroy();
    }
  }

  #leave(group: string): void {
    const left = (this.#counts.get(group) ?? 1) - 1;
    if (left === 0) this.#counts.delete(group);
    else this.#counts.set(group, left);
  }
}

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** One look at all connections takes microseconds, and a timer for each would take more. */
const lookEveryMs = 1_000;

/** Keeps connections within their bounds; before any other hook, since it refuses requests. */
export function watchConnections(
  app: FastifyInstance,
  { clock, config: { trustedProxies } }: HttpServices,
  perAddressMax = connectionsPerAddressMax,
): void {
  const connections = new Connections({ clock, trustedProxies, perAddressMax });
  app.server.on("connection", (socket) => connections.add(socket));
  const bodies = new SlowBodies(clock);
  const timer = setInterval(() => {
    connections.closeStalled();
    bodies.refuseLate(app.server);
  }, lookEveryMs);
  timer.unref();
  app.addHook("onClose", (_app, done) => {
    clearInterval(timer);
    done();
  });
  app.addHook("onRequest", (request, reply, done) => {
    bodies.add(request.raw, { isStream: request.routeOptions.config.isStream === true });
    if (!connections.isRefused(request.raw.socket)) return done();
    reply.headers({ "X-Request-Id": request.id, Connection: "close" });
    refuse(done, tooManyConnections(perAddressMax));
  });
}

function tooManyConnections(perAddressMax: number): ServiceError {
  return new ServiceError(
    "overloaded",
    `An address may have at most ${perAddressMax} connections open. ` +
      "Reuse connections, or close some.",
    { headers: { "Retry-After": "1" } },
  );
}
