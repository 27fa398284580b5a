import { LoadClient, type LoadReply } from "./load-client.ts";
import { type LoadPlan, type LoadWindow, percentile } from "./load-plan.ts";

// The process behind startLoad: asks as its plan says and reports each window. It lives no longer
// than its parent, which ends it by disconnecting.
process.once("message", (plan) => {
  void run(plan as LoadPlan).then(() => process.disconnect());
});
process.once("disconnect", () => process.exit());

const paceMs = 4;
const renewalMs = 60_000;
const failuresMax = 5;

async function run(plan: LoadPlan): Promise<void> {
  const client = new LoadClient(plan.url, plan.connections);
  const tally = new Tally();
  let token = await client.session(plan.key);
  const renewal = setInterval(() => {
    client.session(plan.key).then(
      (session) => {
        token = session;
      },
      (error: unknown) => tally.fail(error),
    );
  }, renewalMs);
  let asked = 0;
  const ask = async () => {
    const question = plan.questions[asked++ % plan.questions.length];
    if (question === undefined) throw new Error("a load without questions");
    await client.ask(question.path, { token, body: question.body }).then(
      async (reply) => {
        tally.add(reply);
        const seconds = Number(reply.headers["retry-after"] ?? 0);
        if (plan.isPatient === true && seconds > 0) await rest(seconds * 1_000);
      },
      (error: unknown) => tally.fail(error),
    );
  };
  process.send?.("started");
  const ended = reportWindows(plan, tally);
  if (plan.ratePerSecond === null) askWithoutPause(plan.connections, ask, ended);
  else askAtRate(plan.ratePerSecond, ask);
  await ended;
  clearInterval(renewal);
}

/** What a client is told to do: no test waits for this. */
function rest(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, ms);
  return promise;
}

function reportWindows({ windowMs, windows }: LoadPlan, tally: Tally): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let reported = 0;
  const timer = setInterval(() => {
    reported++;
    process.send?.(tally.take(), () => {
      if (reported === windows) resolve();
    });
    if (reported === windows) clearInterval(timer);
  }, windowMs);
  return promise;
}

function askWithoutPause(connections: number, ask: () => Promise<void>, ended: Promise<void>) {
  let goesOn = true;
  void ended.then(() => {
    goesOn = false;
  });
  for (let connection = 0; connection < connections; connection++) {
    void (async () => {
      while (goesOn) await ask();
    })();
  }
}

/** Offered whatever the replies: a slow service gets no less to do. The process' end stops it. */
function askAtRate(ratePerSecond: number, ask: () => Promise<void>): void {
  const started = performance.now();
  let asked = 0;
  setInterval(() => {
    const due = Math.floor(((performance.now() - started) / 1000) * ratePerSecond);
    for (; asked < due; asked++) void ask();
  }, paceMs);
}

class Tally {
  #startedMs = performance.now();
  #ms = new Map<string, number[]>();
  #withoutRetryAfter = 0;
  #failures: string[] = [];

  add({ status, headers, body, ms }: LoadReply): void {
    this.#count(String(status), ms);
    const refused = status === 429 || status === 503;
    if (refused && headers["retry-after"] === undefined) this.#withoutRetryAfter++;
    if (status >= 400 && !refused) this.#note(`${status} ${body}`);
  }

  fail(error: unknown): void {
    this.#count("error", 0);
    this.#note(String(error));
  }

  /** What there was since the last call. */
  take(): LoadWindow {
    const window = {
      seconds: (performance.now() - this.#startedMs) / 1000,
      replies: Object.fromEntries(
        [...this.#ms].map(([status, times]) => [
          status,
          {
            count: times.length,
            p50Ms: percentile(times, 0.5),
            p99Ms: percentile(times, 0.99),
          },
        ]),
      ),
      withoutRetryAfter: this.#withoutRetryAfter,
      failures: this.#failures,
    };
    this.#startedMs = performance.now();
    this.#ms = new Map();
    this.#withoutRetryAfter = 0;
    this.#failures = [];
    return window;
  }

  #count(status: string, ms: number): void {
    const times = this.#ms.get(status);
    if (times === undefined) this.#ms.set(status, [ms]);
    else times.push(ms);
  }

  #note(failure: string): void {
    if (this.#failures.length < failuresMax) this.#failures.push(failure);
  }
}
