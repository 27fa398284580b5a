import type { ClickHouseClient } from "@clickhouse/client";
import { ClickhouseError, clickhouseError } from "./clickhouse-error.ts";

/** As many requests as the queue of questions lets run at the same time, and as many inserts. */
const connectionsMax = 64;
/** A server that does not take the connection is as good as away. */
const idleSocketMs = 2_500;
/** A server that is there says so within milliseconds. */
const isThereMs = 1_000;

/** One address: what is sent to it, and whether it answers. */
interface ClickhouseNode {
  readonly client: ClickHouseClient;
  /** Asks over a new connection each time. */
  readonly prober: ClickHouseClient;
  readonly watch: ServerWatch;
}

/** Does something with a client; `cut` aborts when its server will not answer. */
type Work<Result> = (client: ClickHouseClient, cut: AbortSignal) => Promise<Result>;

/** One client for each address; all of them reach the same data. */
export class ClickhouseNodes {
  readonly #nodes: readonly ClickhouseNode[];
  /** The one that worked last. */
  #preferred = 0;

  private constructor(nodes: readonly ClickhouseNode[]) {
    this.#nodes = nodes;
  }

  /** Loads the driver. Nothing is asked of a server yet. */
  static async open(urls: readonly string[], requestTimeoutMs: number): Promise<ClickhouseNodes> {
    const { createClient, ClickHouseLogLevel } = await import("@clickhouse/client");
    const options = {
      application: "sightline",
      request_timeout: requestTimeoutMs,
      max_open_connections: connectionsMax,
      keep_alive: { enabled: true, idle_socket_ttl: idleSocketMs },
      // Filters may list more ids than a URL takes.
      use_multipart_params_auto: true,
      // Errors are thrown; who catches them logs them.
      log: { level: ClickHouseLogLevel.OFF },
    };
    const probing = { request_timeout: isThereMs, keep_alive: { enabled: false } };
    const nodes = urls.map((url): ClickhouseNode => {
      const prober = createClient({ ...options, ...probing, url });
      const isThere = async () => {
        const reply = await prober.ping({
          select: false,
          abort_signal: AbortSignal.timeout(isThereMs),
        });
        return reply.success;
      };
      return { client: createClient({ ...options, url }), prober, watch: new ServerWatch(isThere) };
    });
    return new ClickhouseNodes(nodes);
  }

  /** Lets `work` use a node to its end; see `begin`. */
  async use<Result>(work: Work<Result>): Promise<Result> {
    const { result, request } = await this.begin(work);
    request.done();
    return result;
  }

  /**
   * Lets `work` use a node; another one when that is away, and once more when there is no other:
   * a connection that was kept may have been closed by the server meanwhile. The request that it
   * began is watched until the caller says that it is done.
   */
  async begin<Result>(work: Work<Result>): Promise<{ result: Result; request: WatchedRequest }> {
    const attempts = Math.max(2, this.#nodes.length);
    for (let attempt = 1; ; attempt++) {
      const node = this.#preferred;
      const { client, watch } = this.#node(node);
      const request = watch.begin();
      try {
        return { result: await work(client, request.signal), request };
      } catch (error) {
        request.done();
        const failure = failureOf(request, error);
        if (!isConnection(failure) || attempt === attempts) throw failure;
        this.#preferred = (node + 1) % this.#nodes.length;
      }
    }
  }

  /** Lets `work` use the node that worked last. */
  useOnce<Result>(work: Work<Result>): Promise<Result> {
    return usedOnce(this.#node(this.#preferred), work);
  }

  /**
   * Lets `work`, which may be repeated, use every node; once more where the connection broke.
   * @param inTurn one node after the other.
   */
  async useEach(work: Work<void>, inTurn: boolean): Promise<void> {
    if (inTurn) {
      for (const node of this.#nodes) await usedAgain(node, work);
      return;
    }
    await Promise.all(this.#nodes.map((node) => usedAgain(node, work)));
  }

  #node(place: number): ClickhouseNode {
    const node = this.#nodes[place];
    if (node === undefined) throw new Error("ClickHouse has no address");
    return node;
  }

  async close(): Promise<void> {
    for (const { watch } of this.#nodes) watch.close();
    const clients = this.#nodes.flatMap(({ client, prober }) => [client, prober]);
    await Promise.all(clients.map((client) => client.close()));
  }
}

async function usedOnce<Result>(
  { client, watch }: ClickhouseNode,
  work: Work<Result>,
): Promise<Result> {
  const request = watch.begin();
  try {
    return await work(client, request.signal);
  } catch (error) {
    throw failureOf(request, error);
  } finally {
    request.done();
  }
}

async function usedAgain<Result>(node: ClickhouseNode, work: Work<Result>): Promise<Result> {
  try {
    return await usedOnce(node, work);
  } catch (error) {
    if (!(error instanceof ClickhouseError && isConnection(error))) throw error;
    return usedOnce(node, work);
  }
}

/** What a request failed with: the driver does not say why it was aborted. */
export function failureOf({ signal }: WatchedRequest, error: unknown): ClickhouseError {
  return clickhouseError(signal.aborted ? signal.reason : error);
}

const connectionSigns = /ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|socket hang up/;

/** Whether a failure is of the connection; a deadline that passed is not. */
function isConnection({ cause }: ClickhouseError): boolean {
  if (!(cause instanceof Error)) return false;
  const code = "code" in cause ? String(cause.code) : "";
  return connectionSigns.test(`${code} ${cause.message}`);
}

/** A request that waits for its reply. */
interface WatchedRequest {
  /** Aborts when the server will not answer it. */
  readonly signal: AbortSignal;
  /** To be called when the request ended, however it did. */
  readonly done: () => void;
}

/** Most requests end sooner, and nothing is looked at. */
const lookEveryMs = 500;

/** What a request ends with that the server will not answer. */
class NotAnsweringError extends Error {
  /** As of a connection that broke: the request may be sent again. */
  readonly code = "ECONNABORTED";

  constructor() {
    super("ClickHouse does not answer");
    this.name = "NotAnsweringError";
  }
}

/**
 * Tells a server that works for long from one that cannot be reached, whose replies never come:
 * while requests wait, the server is asked over a connection of its own whether it is there. When
 * it is not, requests end without waiting for their deadline. When it is back, those that were sent
 * before end too: their connections may be dead.
 */
class ServerWatch {
  readonly #isThere: () => Promise<boolean>;
  readonly #waiting = new Set<{ readonly sinceMs: number; readonly cut: AbortController }>();
  #isAway = false;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(isThere: () => Promise<boolean>) {
    this.#isThere = isThere;
  }

  begin(): WatchedRequest {
    const request = { sinceMs: performance.now(), cut: new AbortController() };
    this.#waiting.add(request);
    this.#lookLater();
    return { signal: request.cut.signal, done: () => void this.#waiting.delete(request) };
  }

  close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #lookLater(): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => void this.#look(), lookEveryMs).unref();
  }

  async #look(): Promise<void> {
    const nowMs = performance.now();
    const isLong = [...this.#waiting].some(({ sinceMs }) => nowMs - sinceMs >= lookEveryMs);
    if (isLong || this.#isAway) await this.#lookAt(nowMs);
    this.#timer = null;
    if (this.#waiting.size > 0 || this.#isAway) this.#lookLater();
  }

  async #lookAt(nowMs: number): Promise<void> {
    const wasAway = this.#isAway;
    // Asked twice: this thread may have been busy while the reply came.
    this.#isAway = !((await this.#isThere()) || (!wasAway && (await this.#isThere())));
    if (!wasAway && !this.#isAway) return;
    for (const request of this.#waiting) {
      if (request.sinceMs <= nowMs) request.cut.abort(new NotAnsweringError());
    }
  }
}
