import { setTimeout as pause } from "node:timers/promises";
import { workerData } from "node:worker_threads";
import { openRecords } from "../answers/open-answer-store.ts";
import { SecretBox } from "../keys/secret-box.ts";
import { systemClock } from "../platform/clock.ts";
import { createLogger } from "../platform/logger.ts";
import { repeat } from "../platform/repeat.ts";
import { serve } from "../platform/thread.ts";
import { CollectionService } from "./collection.ts";
import { Credentials } from "./config.ts";
import { Prices } from "./prices.ts";
import type { CollectionApi, CollectionThreadData } from "./thread.ts";

/** The thread that collects. */
const data = workerData as CollectionThreadData;
const logger = createLogger(data.logLevel, data.logFormat);
/** How long running requests may take to end; a service that stops waits for some ten seconds. */
const graceMs = 6_000;

serve<CollectionApi>(async () => {
  const { store: answers, control } = await openRecords(data.records);
  const { concurrency, standIn, collects, reader } = data;
  // A thread that does not collect has no credentials.
  const credentials = new Credentials(collects ? data.secrets : {});
  const config = { credentials, standIn, prices: new Prices(data.prices), reader };
  const secretBox = SecretBox.ofKey(data.boxKey);
  const tools = { control, answers, logger, clock: systemClock, secretBox };
  const service = new CollectionService({ ...tools, config, concurrency });
  const collection = service.collector();
  let stop: (() => void) | null = null;
  return {
    report: async () => {
      stop ??= repeat(logger, collection.works());
      return { tally: collection.takeCounts(), health: collection.health() };
    },
    plan: (order, by) => service.as(by).plan(order),
    read: (order, by) => service.as(by).read(order),
    list: (accountId, now) => service.list(accountId, now),
    get: (accountId, sweepId) => service.get(accountId, sweepId),
    cancel: (accountId, sweepId, { now, by }) => service.as(by).cancel(accountId, sweepId, now),
    close: async () => {
      stop?.();
      await collection.close(pause(graceMs, undefined, { ref: false }));
      await answers.close();
      await control.close();
    },
  };
});
