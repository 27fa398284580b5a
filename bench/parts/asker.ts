import type { LoadQuestion } from "../../packages/server/test/load/load-plan.ts";
import type { FilledAccount } from "../fill/fill-sightline.ts";
import type { Served } from "../measure/served.ts";
import { pause } from "../measure/timing.ts";

const betweenQuestionsMs = 25;

/** Asks questions in turns, one at a time, with a pause after each. */
export class Asker {
  readonly #served: Served;
  readonly #account: FilledAccount;
  readonly #requests: readonly LoadQuestion[];

  constructor(served: Served, account: FilledAccount, requests: readonly LoadQuestion[]) {
    this.#served = served;
    this.#account = account;
    this.#requests = requests;
  }

  askFor(ms: number): Promise<readonly number[]> {
    return this.askUntil(pause(ms));
  }

  /** The time of each reply until something is over. */
  async askUntil(end: Promise<unknown>): Promise<readonly number[]> {
    const times: number[] = [];
    let over = false;
    const stop = () => {
      over = true;
    };
    end.then(stop, stop);
    while (!over) {
      const request = this.#requests[times.length % this.#requests.length];
      if (request === undefined) throw new Error("nothing to ask");
      times.push((await this.#served.ask(this.#account, request)).ms);
      await pause(betweenQuestionsMs);
    }
    return times;
  }
}
