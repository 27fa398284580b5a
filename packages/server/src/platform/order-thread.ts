import { once } from "node:events";
import { MessageChannel, type MessagePort, type Transferable, Worker } from "node:worker_threads";

/** An order on its way to the thread, and where the outcome is expected. */
export type Sent<Order> = Order & { readonly port: MessagePort };

/** The thread ended before it replied. */
export class ThreadEndedError extends Error {}

/**
 * A thread that gets orders and replies to each once. It starts with the first order, and one that
 * dies is replaced by the next.
 */
export class OrderThread<Order extends object, Outcome> {
  readonly #file: URL;
  readonly #data: unknown;
  #worker: Worker | null = null;

  /** @param data what the worker gets as `workerData`. */
  constructor(file: URL, data: unknown) {
    this.#file = file;
    this.#data = data;
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
    worker.postMessage(sent, [port2, ...passed]);
    try {
      const outcome = once(port1, "message").then(([message]) => message as Outcome);
      return await Promise.race([outcome, ended]);
    } finally {
      stopped.abort();
      port1.close();
    }
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #started(): Worker {
    if (this.#worker !== null) return this.#worker;
    const worker = new Worker(this.#file, { workerData: this.#data });
    const forget = () => {
      if (this.#worker === worker) this.#worker = null;
    };
    worker.on("error", forget).on("exit", forget);
    worker.unref();
    this.#worker = worker;
    return worker;
  }
}
