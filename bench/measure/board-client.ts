import type { LoadQuestion } from "../../packages/server/test/load/load-plan.ts";
import { SocketClient } from "./socket-client.ts";

/** A board that was read to its end. */
export interface TimedBoard {
  readonly bodies: readonly string[];
  /** From the first call to the last byte of the last panel. */
  readonly ms: number;
}

/** One person's browser: a session, and a kept-alive connection for each panel of a board. */
export class BoardClient {
  readonly #clients: readonly SocketClient[];
  readonly #token: string;

  private constructor(clients: readonly SocketClient[], token: string) {
    this.#clients = clients;
    this.#token = token;
  }

  /** Opens the connections and the session; asks nothing of the facts. */
  static async open(url: string, key: string, panels: number): Promise<BoardClient> {
    const clients = Array.from({ length: panels }, () => new SocketClient(url));
    const [first] = clients;
    if (first === undefined) throw new Error("a board without panels");
    const token = await first.session(key);
    await Promise.all(clients.map((client) => client.ask({ path: "/healthz", token: null })));
    return new BoardClient(clients, token);
  }

  /** Asks panels at the same time, a connection each. @throws when a reply is not a 200. */
  async ask(panels: readonly LoadQuestion[]): Promise<TimedBoard> {
    const started = performance.now();
    const replies = await Promise.all(
      panels.map((panel, place) => {
        const client = this.#clients[place];
        if (client === undefined) throw new Error("more panels than connections");
        return client.ask({ ...panel, token: this.#token });
      }),
    );
    const ms = performance.now() - started;
    const failed = replies.find(({ status }) => status !== 200);
    if (failed !== undefined) throw new Error(`a panel: ${failed.status} ${failed.body}`);
    return { bodies: replies.map(({ body }) => body), ms };
  }

  close(): void {
    for (const client of this.#clients) client.close();
  }
}
