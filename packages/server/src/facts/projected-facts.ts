import type { Facts } from "./facts.ts";
import { Following, type FollowingOptions } from "./following.ts";
import { QuerySlots } from "./query-slots.ts";

/** Of the engine's pool of 16 threads, half are left to everything else. */
const querySlotsLimits = { running: 8, runningPerAccount: 4, waitingPerAccount: 64 };

/** Facts in DuckDB, a file per account, that follow the record and the workspaces by themselves. */
export function openProjectedFacts(options: FollowingOptions): Facts {
  const following = new Following(options);
  following.start();
  const slots = new QuerySlots(querySlotsLimits);
  return {
    timeSeries: (accountId, question, signal) =>
      slots.run(accountId, signal, () =>
        following.ask(accountId, "time-series", (facts) => facts.timeSeries(question, signal)),
      ),
    sources: (accountId, question, signal) =>
      slots.run(accountId, signal, () =>
        following.ask(accountId, "sources", (facts) => facts.sources(question, signal)),
      ),
    coverage: (accountId, signal) =>
      slots.run(accountId, signal, () =>
        following.ask(accountId, "coverage", (facts) => facts.coverage(signal)),
      ),
    version: (accountId) => following.version(accountId),
    notReady: () => following.notReady(),
    failing: () => following.failing(),
    settle: (accountId) => following.settle(accountId),
    close: () => following.close(),
  };
}
