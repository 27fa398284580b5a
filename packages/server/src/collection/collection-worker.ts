import { setTimeout as pause } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { openRecords } from "../answers/open-records.ts";
import { systemClock } from "../platform/clock.ts";
import { failedWork } from "../platform/failed-work.ts";
import { createLogger } from "../platform/logger.ts";
import { onceOpened } from "../platform/once-opened.ts";
import type { Sent } from "../platform/order-thread.ts";
import { repeat } from "../platform/repeat.ts";
import type {
  CollectionOrder,
  CollectionOrders,
  CollectionOutcome,
  CollectionThreadData,
} from "./collection-thread.ts";
import { CollectionsHere } from "./collections-here.ts";
import { Credentials } from "./credentials.ts";
import { Prices } from "./prices/prices.ts";

/** The thread that asks the providers. */
const data = workerData as CollectionThreadData;
const logger = createLogger(data.logLevel, data.logFormat);
/** Requests under way are let end for so long; who stops a service waits for some ten seconds. */
const graceMs = 6_000;

const openOnce = onceOpened(async (): Promise<CollectionOrders> => {
  const { store: answers, control } = await openRecords(data.records);
  const { concurrency, standIn, collects } = data;
  // What it does not ask itself is of no credential.
  const credentials = new Credentials(collects ? data.secrets : {});
  const config = { credentials, standIn, prices: new Prices(data.prices) };
  const tools = { control, answers, logger, clock: systemClock };
  const here = new CollectionsHere({ ...tools, config, concurrency });
  const collection = here.collector();
  const stop = collects ? repeat(logger, collection.works()) : () => undefined;
  return {
    report: async () => ({ tally: collection.takeCounts(), health: collection.health() }),
    plan: (order) => here.plan(order),
    list: (accountId, now) => here.list(accountId, now),
    get: (accountId, sweepId) => here.get(accountId, sweepId),
    cancel: (accountId, sweepId, now) => here.cancel(accountId, sweepId, now),
    close: async () => {
      stop();
      await collection.close(pause(graceMs, undefined, { ref: false }));
      await answers.close();
      await control.close();
    },
  };
});

parentPort?.on("message", async ({ port, ...order }: Sent<CollectionOrder>) => {
  port.postMessage(await outcomeOf(order));
});

async function outcomeOf({ name, parameters }: CollectionOrder): Promise<CollectionOutcome> {
  try {
    const orders = await openOnce();
    const order: (...parameters: readonly never[]) => Promise<unknown> = orders[name];
    return { kind: "done", result: await order(...(parameters as readonly never[])) };
  } catch (error) {
    return failedWork(error);
  }
}
