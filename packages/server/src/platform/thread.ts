import { setImmediate } from "node:timers/promises";
import { parentPort, type Transferable, Worker } from "node:worker_threads";
import { ClickhouseError } from "./clickhouse/clickhouse-error.ts";
import { onceOpened } from "./once-opened.ts";
import { PostgresUnavailableError } from "./postgres.ts";
import { ServiceError } from "./service-error.ts";

/** What each method of a thread's API gets after the caller's parameters. */
export interface Call<Item = unknown> {
  /** Aborts when the caller's signal does. The call still ends with what the method does then. */
  readonly signal: AbortSignal;
  /** The caller's stream. @throws BrokenStreamError; the signal's reason when it aborts. */
  readonly items: AsyncIterable<Item>;
}

/** An API as its callers see it: without the `Call`. */
export type Remote<Api> = {
  readonly [Name in keyof Api]: Api[Name] extends (...parameters: infer All) => infer Reply
    ? (...parameters: All extends [...infer Own, Call] ? Own : All) => Reply
    : never;
};

type ErrorClass = abstract new (...parameters: never[]) => Error;

/** What a thread may take, and what its callers distinguish. */
export interface ThreadOptions {
  /** The most MB of its heap: a thread that needs more ends, and its calls fail. */
  readonly heapMb?: number;
  /** The MB of its young generation: small where most objects are garbage immediately. */
  readonly youngMb?: number;
  /** A thread without calls for so long ends, which frees its memory. */
  readonly idleMs?: number;
  /** Classes by the name of their errors, which keep their class between the threads. */
  readonly errors?: Readonly<Record<string, ErrorClass>>;
}

/** The thread ended before it replied. */
export class ThreadEndedError extends Error {}

/** The caller's stream failed before its end, for the reason that is the cause. */
export class BrokenStreamError extends Error {}

type Told =
  | { readonly kind: "call"; readonly name: string; readonly parameters: readonly unknown[] }
  | { readonly kind: "abort" }
  | { readonly kind: "item"; readonly item: unknown }
  | { readonly kind: "end" }
  | { readonly kind: "broken"; readonly failure: CarriedError };

type Reply =
  | { readonly kind: "taken" }
  | { readonly kind: "done"; readonly result: unknown }
  | { readonly kind: "failed"; readonly failure: CarriedError };

/** Messages of all calls go over one port: they come in the order in which they were sent. */
type OfCall<Message> = Message & { readonly id: number };

const movedOf = new WeakMap<object, readonly Transferable[]>();

/** A parameter, item or result whose buffers move to the other thread and are gone here. */
export function moving<Value extends object>(value: Value, parts: readonly Transferable[]): Value {
  movedOf.set(value, parts);
  return value;
}

function partsOf(...values: readonly unknown[]): Transferable[] {
  return values.flatMap((value) => movedOf.get(value as object) ?? []);
}

/**
 * A worker thread that serves an API of asynchronous methods. It starts with the first call; one
 * that ends is replaced at the next call.
 */
export class Thread<Api extends object> {
  readonly #file: URL;
  readonly #data: unknown;
  readonly #options: ThreadOptions;
  readonly #calls = new Map<number, CallUnderWay>();
  #worker: Worker | null = null;
  #lastId = 0;
  #idle: NodeJS.Timeout | undefined;

  /** @param data what the worker gets as `workerData`. */
  constructor(file: URL, data: unknown, options: ThreadOptions = {}) {
    this.#file = file;
    this.#data = data;
    this.#options = options;
  }

  /** The methods. They throw what the method throws, its class by `errors`; ThreadEndedError. */
  get api(): Remote<Api> {
    return this.with({});
  }

  /** The methods, with the caller's signal or stream. A stream is read to its end in any case. */
  with(call: Partial<Call>): Remote<Api> {
    return new Proxy({} as Remote<Api>, {
      get: (_target, name) => {
        return (...parameters: readonly unknown[]) => this.#call(String(name), parameters, call);
      },
    });
  }

  /** Ends the thread and the calls under way; a later call starts another thread. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  async #call(
    name: string,
    parameters: readonly unknown[],
    { signal, items }: Partial<Call>,
  ): Promise<unknown> {
    clearTimeout(this.#idle);
    const worker = this.#started();
    worker.ref();
    const id = ++this.#lastId;
    const call = new CallUnderWay(worker, id);
    this.#calls.set(id, call);
    const abort = () => call.tell({ kind: "abort" });
    signal?.addEventListener("abort", abort, { once: true });
    try {
      call.tell({ kind: "call", name, parameters }, partsOf(...parameters));
      if (signal?.aborted === true) abort();
      if (items !== undefined) void call.feed(items);
      return await call.result;
    } finally {
      call.over();
      signal?.removeEventListener("abort", abort);
      this.#calls.delete(id);
      if (this.#calls.size === 0) this.#endWhenIdle(worker);
    }
  }

  #endWhenIdle(worker: Worker): void {
    worker.unref();
    const { idleMs } = this.#options;
    if (idleMs !== undefined) this.#idle = setTimeout(() => void this.close(), idleMs).unref();
  }

  #started(): Worker {
    if (this.#worker !== null) return this.#worker;
    const { heapMb, youngMb } = this.#options;
    const worker = new Worker(this.#file, {
      workerData: this.#data,
      resourceLimits: {
        ...(heapMb === undefined ? {} : { maxOldGenerationSizeMb: heapMb }),
        ...(youngMb === undefined ? {} : { maxYoungGenerationSizeMb: youngMb }),
      },
    });
    worker.on("message", ({ id, ...reply }: OfCall<Reply>) => {
      const call = this.#calls.get(id);
      if (reply.kind === "taken") call?.taken();
      else if (reply.kind === "done") call?.resolve(reply.result);
      else call?.reject(revived(reply.failure, this.#options.errors));
    });
    worker.on("error", (error) => this.#end(worker, `the thread ended: ${String(error)}`));
    worker.on("exit", () => this.#end(worker, "the thread ended"));
    this.#worker = worker;
    return worker;
  }

  /** By then another thread may have been started, which has calls of its own. */
  #end(worker: Worker, reason: string): void {
    if (this.#worker === worker) this.#worker = null;
    for (const call of this.#calls.values()) {
      if (call.worker === worker) call.reject(new ThreadEndedError(reason));
    }
  }
}

/** Items on their way to a thread: enough for it to go on, and little memory. */
const itemsUnderWay = 8;

/** A call whose result is waited for. */
class CallUnderWay {
  readonly worker: Worker;
  readonly result: Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly #id: number;
  #free = itemsUnderWay;
  #isOver = false;
  #wake: () => void = () => undefined;

  constructor(worker: Worker, id: number) {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    [this.worker, this.#id] = [worker, id];
    [this.result, this.resolve, this.reject] = [promise, resolve, reject];
  }

  tell(told: Told, parts: Transferable[] = []): void {
    this.worker.postMessage({ ...told, id: this.#id } satisfies OfCall<Told>, parts);
  }

  taken(): void {
    this.#free++;
    this.#wake();
  }

  /** From now on the thread takes nothing. */
  over(): void {
    this.#isOver = true;
    this.#wake();
  }

  /** Sends a stream, no faster than the thread takes it. */
  async feed(items: AsyncIterable<unknown>): Promise<void> {
    try {
      for await (const item of items) {
        while (this.#free === 0 && !this.#isOver) {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
        if (this.#isOver) continue; // to its end: a connection's next request comes behind it
        this.#free--;
        this.tell({ kind: "item", item }, partsOf(item));
      }
      this.tell({ kind: "end" });
    } catch (error) {
      this.tell({ kind: "broken", failure: carried(error) });
    }
  }
}

/**
 * Runs the calls one after another, in the order in which they came. The signal of a call that was
 * aborted while it waited is aborted when the call begins.
 */
export function inOrder(): (work: () => Promise<void>) => void {
  let last = Promise.resolve();
  return (work) => {
    last = last.then(messagesTaken).then(work);
  };
}

/**
 * Resolves when the thread has taken the messages that were sent while it was blocked. TRICKY: the
 * event loop may have polled before this is called, so it has to come round twice.
 */
async function messagesTaken(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

/**
 * Serves an API in a worker thread.
 * @param open makes the API at the first call; when that fails, at the next one.
 * @param run calls are concurrent unless it is `inOrder()`.
 */
export function serve<Api extends object>(
  open: () => Promise<Api>,
  run: (work: () => Promise<void>) => void = (work) => void work(),
): void {
  const opened = onceOpened(open);
  const served = new Map<number, ServedCall>();
  parentPort?.on("message", ({ id, ...told }: OfCall<Told>) => {
    if (told.kind !== "call") {
      served.get(id)?.take(told);
      return;
    }
    const call = new ServedCall(id);
    served.set(id, call);
    run(async () => {
      try {
        const api = (await opened()) as Readonly<Record<string, Method>>;
        const method = api[told.name];
        if (method === undefined) throw new Error(`the thread has no method ${told.name}`);
        const result = await method(...told.parameters, call);
        call.reply({ kind: "done", result }, partsOf(result));
      } catch (error) {
        call.fail(error);
      }
      served.delete(id);
    });
  });
}

type Method = (...parameters: readonly unknown[]) => Promise<unknown>;

/** A call at the thread's side. */
class ServedCall implements Call {
  readonly items = this.#each();
  readonly #id: number;
  readonly #abort = new AbortController();
  readonly #come: Exclude<Told, { readonly kind: "call" | "abort" }>[] = [];
  #wake: () => void = () => undefined;

  constructor(id: number) {
    this.#id = id;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  take(told: Exclude<Told, { readonly kind: "call" }>): void {
    if (told.kind === "abort") this.#abort.abort();
    else this.#come.push(told);
    this.#wake();
  }

  reply(reply: Reply, parts: Transferable[] = []): void {
    parentPort?.postMessage({ ...reply, id: this.#id } satisfies OfCall<Reply>, parts);
  }

  fail(error: unknown): void {
    try {
      this.reply({ kind: "failed", failure: carried(error) });
    } catch {
      this.reply({ kind: "failed", failure: carried(String(error)) }); // it has what cannot be sent
    }
  }

  async *#each(): AsyncGenerator<unknown> {
    for (;;) {
      this.signal.throwIfAborted(); // before what was sent earlier
      const told = this.#come.shift();
      if (told === undefined) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      } else if (told.kind === "item") {
        this.reply({ kind: "taken" });
        yield told.item;
      } else if (told.kind === "end") return;
      else throw new BrokenStreamError("the stream broke off", { cause: revived(told.failure) });
    }
  }
}

/** An error as it is sent: cloning drops its class and its properties, such as a code. */
interface CarriedError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly own: Readonly<Record<string, unknown>>;
  readonly cause: CarriedError | undefined;
}

function carried(error: unknown): CarriedError {
  if (!(error instanceof Error)) return carried(new Error(String(error)));
  const { name, message, stack, cause } = error;
  const of = cause === undefined ? undefined : carried(cause);
  return { name, message, stack, own: { ...error }, cause: of };
}

/** What every thread may fail with that others distinguish. */
const everyones = { ServiceError, PostgresUnavailableError, ClickhouseError };

function revived({ cause, ...sent }: CarriedError, errors: ThreadOptions["errors"] = {}): Error {
  const { name, message, stack, own } = sent;
  const error = new Error(message, cause === undefined ? {} : { cause: revived(cause, errors) });
  const classes: Readonly<Record<string, ErrorClass>> = { ...everyones, ...errors };
  Object.setPrototypeOf(error, classes[name]?.prototype ?? Error.prototype);
  const hidden = { enumerable: false, writable: true, configurable: true };
  Object.defineProperties(error, {
    name: { ...hidden, value: name },
    stack: { ...hidden, value: stack },
  });
  return Object.assign(error, own);
}
