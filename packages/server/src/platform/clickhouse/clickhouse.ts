import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { ClickHouseSettings } from "@clickhouse/client";
import { checkedValue, type Fragment, type Row, type RowShape, type Statement } from "../sql.ts";
import { inTurns } from "../turns.ts";
import { ClickhouseError, clickhouseError } from "./clickhouse-error.ts";
import { ClickhouseNodes, failureOf } from "./clickhouse-nodes.ts";

/** Rows that are sent in one piece. */
export interface Insertion {
  /** Ends with the format's name. */
  readonly query: string;
  /** The same for the same rows alone: an insert that was carried out already is not repeated. */
  readonly token: string;
  /** In the format Native, as one block. */
  readonly block: readonly Uint8Array[];
}

/** How long and how large a request may be. */
export interface ClickhouseLimits {
  readonly querySeconds: number;
  readonly insertSeconds: number;
  readonly memoryBytes: number;
}

const usualLimits: ClickhouseLimits = {
  querySeconds: 30,
  insertSeconds: 20,
  memoryBytes: 4_000_000_000,
};
/** Whatever the profile of our user says: what cannot be done in full fails. */
const wholeResults = {
  skip_unavailable_shards: 0,
  timeout_overflow_mode: "throw",
  read_overflow_mode: "throw",
  result_overflow_mode: "throw",
  transfer_overflow_mode: "throw",
  group_by_overflow_mode: "throw",
  sort_overflow_mode: "throw",
  distinct_overflow_mode: "throw",
  set_overflow_mode: "throw",
  join_overflow_mode: "throw",
  timeout_overflow_mode_leaf: "throw",
  read_overflow_mode_leaf: "throw",
} satisfies ClickHouseSettings;
/** What the server's own deadline takes until it has stopped and said so. */
const graceMs = 2_000;
const firstPauseMs = 50;
const longestPauseMs = 1_000;
/** Lines that are parsed as one document: one by one takes three times as long. */
const linesAtOnce = 500;

/** ClickHouse over HTTP. Each method may throw ClickhouseError. */
export class Clickhouse {
  readonly #nodes: ClickhouseNodes;
  readonly #limits: ClickhouseLimits;
  readonly #settings: ClickHouseSettings;

  private constructor(
    nodes: ClickhouseNodes,
    limits: ClickhouseLimits,
    settings: ClickHouseSettings,
  ) {
    this.#nodes = nodes;
    this.#limits = limits;
    this.#settings = settings;
  }

  /** @param settings in addition to those of every request. */
  static async open(
    urls: readonly string[],
    {
      limits = {},
      settings = {},
    }: { readonly limits?: Partial<ClickhouseLimits>; readonly settings?: ClickHouseSettings } = {},
  ): Promise<Clickhouse> {
    const all = { ...usualLimits, ...limits };
    const longest = Math.max(all.querySeconds, all.insertSeconds) * 1_000 + graceMs;
    return new Clickhouse(await ClickhouseNodes.open(urls, longest), all, settings);
  }

  /** The rows of a statement: all of them, or it throws. @throws the signal's reason. */
  async query<Shape extends RowShape>(
    { query, shape }: Statement<Shape>,
    signal?: AbortSignal,
  ): Promise<readonly Row<Shape>[]> {
    const text = await this.#reading(signal, async (deadline) =>
      this.#nodes.use(async (client, cut) => {
        const end = AbortSignal.any([deadline, cut]);
        const result = await client.query({
          ...this.#request(query, end),
          // The server sends nothing before it has everything, or the error.
          clickhouse_settings: { ...this.#readSettings(), wait_end_of_query: 1 },
          format: "JSONCompactEachRow",
        });
        const done = closedOnAbort(end, () => result.close());
        return result.text().finally(done);
      }),
    );
    return inTurns(parsed(shape, text), signal ?? neverAborted);
  }

  /**
   * The rows of a statement, as they come: an error may follow after some. Leaving the loop ends
   * the request, and the server stops.
   */
  async *stream<Shape extends RowShape>({
    query,
    shape,
  }: Statement<Shape>): AsyncGenerator<Row<Shape>> {
    const deadline = AbortSignal.timeout(this.#limits.querySeconds * 1_000 + graceMs);
    const { result, request } = await this.#nodes.begin((client, cut) =>
      client.query({
        ...this.#request(query, AbortSignal.any([deadline, cut])),
        clickhouse_settings: this.#readSettings(),
        format: "JSONCompactEachRow",
      }),
    );
    const end = AbortSignal.any([deadline, request.signal]);
    const done = closedOnAbort(end, () => result.close());
    try {
      for await (const rows of result.stream()) {
        for (const row of rows) yield rowOf(shape, JSON.parse(row.text));
      }
    } catch (error) {
      throw failureOf(request, error);
    } finally {
      done();
      request.done();
    }
  }

  /**
   * Inserts rows. What fails in passing, or has no reply, is repeated with the same token until the
   * deadline. @throws ClickhouseError: the rows may be there or not.
   */
  async insert(insertion: Insertion): Promise<void> {
    const endMs = performance.now() + this.#limits.insertSeconds * 1_000;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        return await this.#insertOnce(insertion, Math.ceil(endMs - performance.now()));
      } catch (error) {
        const failure = clickhouseError(error);
        const waitMs = pauseMs * (0.5 + Math.random());
        if (failure.fault === "refused" || performance.now() + waitMs > endMs) throw failure;
        await pause(waitMs);
      }
    }
  }

  /** Runs a statement without a result, at one node and once, whatever becomes of it. */
  async command(statement: Fragment): Promise<void> {
    await this.#nodes.useOnce((client, cut) => client.command(this.#writing(statement, cut)));
  }

  /**
   * Runs a statement without a result at every node: a definition, or a change of local tables that
   * may be repeated. It is, once, where the connection breaks.
   * @param inTurn at one node after the other: replicas refuse to be altered at the same time.
   */
  async everywhere(statement: Fragment, inTurn = false): Promise<void> {
    await this.#nodes.useEach(async (client, cut) => {
      const request = this.#writing(statement, cut);
      if (!isAlteration(statement)) return void (await client.command(request));
      // As a question: of a command, the driver puts all values into the address, which is bounded.
      const result = await client.query({ ...request, format: "JSONCompactEachRow" });
      const done = closedOnAbort(request.abort_signal, () => result.close());
      await result.text().finally(done);
    }, inTurn);
  }

  close(): Promise<void> {
    return this.#nodes.close();
  }

  #writing(statement: Fragment, cut: AbortSignal) {
    const deadline = AbortSignal.timeout(this.#limits.insertSeconds * 1_000 + graceMs);
    return {
      ...this.#request(statement, AbortSignal.any([deadline, cut])),
      clickhouse_settings: this.#writeSettings(),
    };
  }

  async #insertOnce({ query, token, block }: Insertion, leftMs: number): Promise<void> {
    if (leftMs <= 0) throw new ClickhouseError("unavailable", "the deadline of an insert passed");
    await this.#nodes.use(async (client, cut) => {
      const end = AbortSignal.any([AbortSignal.timeout(leftMs), cut]);
      const { stream } = await client.exec({
        query,
        values: Readable.from(block, { objectMode: false }),
        abort_signal: end,
        clickhouse_settings: { ...this.#writeSettings(), insert_deduplication_token: token },
      });
      const done = closedOnAbort(end, () => void stream.destroy(new Error("too late")));
      try {
        // The reply is empty, and complete once it has ended.
        for await (const chunk of stream) void chunk;
      } finally {
        done();
      }
    });
  }

  #request(statement: Fragment, deadline: AbortSignal) {
    deadline.throwIfAborted(); // the driver does not look at what aborted before
    const { query, parameters } = rendered(statement);
    return { query, query_params: parameters, abort_signal: deadline };
  }

  async #reading<Result>(
    signal: AbortSignal | undefined,
    work: (deadline: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    signal?.throwIfAborted();
    const deadline = AbortSignal.timeout(this.#limits.querySeconds * 1_000 + graceMs);
    try {
      return await work(signal === undefined ? deadline : AbortSignal.any([signal, deadline]));
    } catch (error) {
      signal?.throwIfAborted();
      throw clickhouseError(error);
    }
  }

  #readSettings(): ClickHouseSettings {
    return {
      // Also what lets the server cancel a question when its client leaves.
      readonly: "2",
      cancel_http_readonly_queries_on_client_close: 1,
      max_execution_time: this.#limits.querySeconds,
      max_memory_usage: String(this.#limits.memoryBytes),
      output_format_json_quote_64bit_integers: 0,
      optimize_skip_unused_shards: 1,
      distributed_product_mode: "local",
      ...wholeResults,
      ...this.#settings,
    };
  }

  #writeSettings(): ClickHouseSettings {
    return {
      max_execution_time: this.#limits.insertSeconds,
      max_memory_usage: String(this.#limits.memoryBytes),
      wait_end_of_query: 1,
      // An insert is done when it is on the disk of its shard, and it is one block.
      async_insert: 0,
      // Deletes go on in the background: nobody reads what they delete.
      lightweight_deletes_sync: "0",
      insert_deduplicate: 1,
      distributed_foreground_insert: 1,
      input_format_parallel_parsing: 0,
      max_insert_block_size: "100000000",
      min_insert_block_size_rows: "0",
      min_insert_block_size_bytes: "0",
      ...wholeResults,
      ...this.#settings,
    };
  }
}

/** What may list ids, and may have a format at its end, as the driver gives questions. */
function isAlteration({ texts: [first = ""] }: Fragment): boolean {
  return first.startsWith("alter table");
}

const neverAborted = new AbortController().signal;

/** Parses a result, a few hundred lines at a time. */
function* parsed<Shape extends RowShape>(
  shape: Shape,
  text: string,
): Generator<void, readonly Row<Shape>[]> {
  const lines = text === "" ? [] : text.trimEnd().split("\n");
  const rows: Row<Shape>[] = [];
  for (let start = 0; start < lines.length; start += linesAtOnce) {
    const document = `[${lines.slice(start, start + linesAtOnce).join(",")}]`;
    for (const columns of JSON.parse(document) as unknown[]) rows.push(rowOf(shape, columns));
    yield;
  }
  return rows;
}

/** What goes to the server: the text with the names and types of its parameters, and these. */
function rendered({ texts, values }: Fragment) {
  const [first = "", ...others] = texts;
  const named = others.map((text, index) => `{p${index}:${values[index]?.type}}${text}`);
  const parameters = values.map(({ value }, index) => [`p${index}`, value] as const);
  return { query: first + named.join(""), parameters: Object.fromEntries(parameters) };
}

/** A row from its list of columns. @throws when a value is not what the shape says. */
function rowOf<Shape extends RowShape>(shape: Shape, columns: unknown): Row<Shape> {
  const kinds = Object.entries(shape);
  if (!Array.isArray(columns) || columns.length !== kinds.length) {
    throw new Error(`ClickHouse did not give the ${kinds.length} columns that were expected`);
  }
  const values = kinds.map(([name, kind], index) => {
    return [name, checkedValue(name, kind, columns[index])] as const;
  });
  return Object.fromEntries(values) as Row<Shape>;
}

/**
 * TRICKY: the driver heeds a signal until a reply begins, and no longer. This closes what is read
 * of a reply when the signal aborts later, so that reading it fails.
 * @returns a function that ends this.
 */
function closedOnAbort(signal: AbortSignal, close: () => void): () => void {
  if (signal.aborted) close();
  signal.addEventListener("abort", close, { once: true });
  return () => signal.removeEventListener("abort", close);
}
