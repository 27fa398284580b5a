import { type Serving, startServing, stopped } from "@sightline/test-kit/command.ts";
import type { LoadQuestion } from "../../packages/server/test/load/load-plan.ts";
import type { FilledAccount } from "../fill/fill-sightline.ts";
import { memoryMb } from "./process-cost.ts";
import { SocketClient, type TimedReply } from "./socket-client.ts";
import { pause } from "./timing.ts";

const betweenLooksMs = 5;

/** Settings of every server that is measured: each question reaches the engine. */
export const unlimited = {
  SIGHTLINE_RATE_LIMIT: "off",
  SIGHTLINE_DAILY_QUOTA: "off",
  SIGHTLINE_REPLY_CACHE: "off",
  SIGHTLINE_SESSION_TTL_SECONDS: "3600",
};

/** How a server is started. */
export interface Serve {
  /** Whether it has to build facts; without this it must use the filled ones as they are. */
  readonly builds?: boolean;
}

/** A real server process, and one kept-alive connection to it. */
export class Served {
  readonly #serving: Serving;
  readonly #client: SocketClient;
  /** For metrics and readiness. */
  readonly #side: SocketClient;
  readonly #tokens = new Map<string, string>();

  private constructor(serving: Serving) {
    this.#serving = serving;
    this.#client = new SocketClient(serving.url);
    this.#side = new SocketClient(serving.url);
  }

  /** Starts a server over a filled folder; resolves when it is ready. */
  static async start(dataDir: string, { builds = false }: Serve = {}): Promise<Served> {
    const served = new Served(await startServing(dataDir, { environment: unlimited }));
    if (!builds) await served.#refuseRebuilds();
    return served;
  }

  /** Starts a server, works with it, and stops it whatever happens. */
  static async during<Result>(
    dataDir: string,
    serve: Serve,
    work: (served: Served) => Promise<Result>,
  ): Promise<Result> {
    const served = await Served.start(dataDir, serve);
    try {
      return await work(served);
    } finally {
      await served.stop();
    }
  }

  get url(): string {
    return this.#serving.url;
  }

  get pid(): number {
    const { pid } = this.#serving.process;
    if (pid === undefined) throw new Error("the server was not started");
    return pid;
  }

  /** Resolves when the server says that it is ready. */
  async ready(): Promise<void> {
    while ((await this.#side.ask({ path: "/readyz", token: null })).status !== 200) {
      await pause(betweenLooksMs);
    }
  }

  /** Asks as an account. @throws when the reply is not a 200. */
  async ask(account: Pick<FilledAccount, "key">, question: LoadQuestion): Promise<TimedReply> {
    const reply = await this.reply(account, question);
    if (reply.status !== 200) throw new Error(`${question.path}: ${reply.status} ${reply.body}`);
    return reply;
  }

  /** Asks as an account, whatever the reply's status. */
  async reply({ key }: Pick<FilledAccount, "key">, question: LoadQuestion): Promise<TimedReply> {
    const token = this.#tokens.get(key) ?? (await this.#client.session(key));
    this.#tokens.set(key, token);
    const { path, body } = question;
    return this.#client.ask({ path, token, body });
  }

  /** What the server says of itself, for Prometheus. */
  async metrics(): Promise<string> {
    return (await this.#side.ask({ path: "/metrics", token: null })).body;
  }

  /** The most memory that the process ever held, in MB. */
  peakMemoryMb(): number {
    return memoryMb(this.pid, "VmHWM");
  }

  /** The memory that the process holds now, in MB. */
  memoryMb(): number {
    return memoryMb(this.pid, "VmRSS");
  }

  async stop(): Promise<void> {
    this.#client.close();
    this.#side.close();
    await stopped(this.#serving);
  }

  /** Facts that were written past the record are lost when the server builds them again. */
  async #refuseRebuilds(): Promise<void> {
    const rebuilds = metricSum(await this.metrics(), /^sightline_facts_rebuilds_total/);
    if (rebuilds === 0) return;
    await this.stop();
    throw new Error("the server rebuilt the facts: fill them again, with --refill");
  }
}

/** The sum over a metric's labels; 0 when there is none of that name. */
export function metricSum(exposition: string, name: RegExp): number {
  return exposition
    .split("\n")
    .filter((line) => name.test(line))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
}
