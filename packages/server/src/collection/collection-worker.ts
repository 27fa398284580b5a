import { setTimeout as pause } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { openRecords } from "../answers/open-records.ts";
import { systemClock } from "../platform/clock.ts";
import { createLogger } from "../platform/logger.ts";
import { onceOpened } from "../platform/once-opened.ts";
import type { Sent } from "../platform/order-thread.ts";
import { repeat } from "../platform/repeat.ts";
import { Collection } from "./collection.ts";
import type {
  CollectionOrder,
  CollectionOutcome,
  CollectionThreadData,
} from "./collection-thread.ts";
import { Credentials } from "./credentials.ts";
import { outlookOf } from "./outlook.ts";
import { Prices } from "./prices/prices.ts";
import { adapters } from "./providers/index.ts";
import { planNow } from "./schedule/plan-now.ts";

/** The thread that asks the providers. */
const data = workerData as CollectionThreadData;
const logger = createLogger(data.logLevel);
/** Requests under way are let end for so long; who stops a service waits for some ten seconds. */
const graceMs = 6_000;

const openOnce = onceOpened(async () => {
  const { store: answers, control } = await openRecords(data.records);
  const collection = new Collection({
    ...{ control, answers, adapters, logger, clock: systemClock, random: Math.random },
    credentials: new Credentials(data.secrets),
    standIn: data.standIn,
    concurrency: data.concurrency,
    prices: new Prices(data.prices),
  });
  const stop = data.collects ? repeat(logger, collection.works()) : () => undefined;
  return { answers, control, collection, stop };
});

parentPort?.on("message", async ({ port, ...order }: Sent<CollectionOrder>) => {
  port.postMessage(await outcomeOf(order));
});

async function outcomeOf(order: CollectionOrder): Promise<CollectionOutcome> {
  try {
    return await done(order);
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { kind: "failed", reason };
  }
}

async function done(order: CollectionOrder): Promise<CollectionOutcome> {
  const { answers, control, collection, stop } = await openOnce();
  switch (order.kind) {
    case "report":
      return { kind: "report", tally: collection.takeCounts(), health: collection.health() };
    case "plan": {
      const { kind: _kind, ...plan } = order;
      const vendors = data.collects ? new Credentials(data.secrets).vendors : [];
      const prices = new Prices(data.prices);
      const tools = { control, adapters, clock: systemClock, prices, vendors };
      return { kind: "plan", outcome: await planNow(tools, plan) };
    }
    case "outlook": {
      const outlook = await outlookOf({ control, clock: systemClock }, order.accountId);
      return { kind: "outlook", outlook };
    }
    case "close":
      stop();
      await collection.close(pause(graceMs, undefined, { ref: false }));
      await answers.close();
      await control.close();
      return { kind: "closed" };
  }
}
