import { once } from "node:events";
import { MessageChannel, type MessagePort, type Transferable, Worker } from "node:worker_threads";

/** An order on its way to the thread, and where the outcome is expected. */
export type Sent<Order> = Order & { readonly port: MessagePort };

/** What a thread may take. */
export interface ThreadBounds {
  /** The most MB of its heap: beyond that it ends, and its orders fail. */
  readonly heapMb?: number;
  /** A thread without orders for so long ends, and gives back its memory. */
  readonly idleMs?: number;
}

/** The thread ended before it replied. */
export class ThreadEndedError extends Error {}

/**
 * A thread that gets orders and replies to each once. It starts with the first order, and one that
 * dies is replaced by the next.
 */
export class OrderThread<Order extends object, Outcome> {
  readonly #file: URL;
  readonly #data: unknown;
  readonly #bounds: ThreadBounds;
  #worker: Worker | null = null;
  #orders = 0;
  #idle: NodeJS.Timeout | undefined;

  /** @param data what the worker gets as `workerData`. */
  constructor(file: URL, data: unknown, bounds: ThreadBounds = {}) {
    this.#file = file;
    this.#data = data;
    this.#bounds = bounds;
  }

  /**
   * @param passed parts of the order that go over to the thread, and are gone here.
   * @throws ThreadEndedError.
   */
  async send(order: Order, passed: readonly Transferable[] = []): Promise<Outcome> {
    const { port1, port2 } = new MessageChannel();
    const worker = this.#started();
    const stopped = new AbortController();
    const ended = once(worker, "exit", { signal: stopped.signal }).then(
      (): never => {
        throw new ThreadEndedError("the thread ended");
      },
      // `once` fails with what the thread died of, such as a lack of memory.
      (error: unknown): never => {
        throw new ThreadEndedError(`the thread ended: ${String(error)}`);
      },
    );
    ended.catch(() => undefined); // it was stopped: the outcome came
    const sent: Sent<Order> = { ...order, port: port2 };
    this.#orders++;
    clearTimeout(this.#idle);
    try {
      worker.postMessage(sent, [port2, ...passed]);
      const outcome = once(port1, "message").then(([message]) => message as Outcome);
      return await Promise.race([outcome, ended]);
    } finally {
      stopped.abort();
      port1.close();
      if (--this.#orders === 0) this.#endWhenIdle();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#worker?.terminate();
  }

  #endWhenIdle(): void {
    const { idleMs } = this.#bounds;
    if (idleMs === undefined) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      void this.#worker?.terminate();
      this.#worker = null;
    }, idleMs).unref();
  }

  #started(): Worker {
    if (this.#worker !== null) return this.#worker;
    const { heapMb } = this.#bounds;
    const worker = new Worker(this.#file, {
      workerData: this.#data,
      ...(heapMb === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: heapMb } }),
    });
    const forget = () => {
      if (this.#worker === worker) this.#worker = null;
    };
    worker.on("error", forget).on("exit", forget);
    worker.unref();
    this.#worker = worker;
    return worker;
  }
}
