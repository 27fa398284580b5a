import { readReader } from "@sightline/server/reader-config";
import { sweepsOf } from "@sightline/server/sweep-reads";
import { type StandIn, standInCredentials, startStandIn } from "@sightline/stand-in";
import { askNow, collectionOf, reportedHealth } from "@sightline/test-kit/collection/collecting.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import type { TestService } from "@sightline/test-kit/test-service.ts";
import { startConsole } from "./demo-service.ts";

/** A service with the console, what collects for it, and a stand-in of all vendors. */
export interface CollectingService {
  readonly service: TestService;
  readonly origin: string;
  readonly standIn: StandIn;
  /** Says to the service that somebody collects, and how vendors stand. */
  readonly reportHealth: () => Promise<void>;
  /** Asks all that can be asked at this instant. */
  readonly ask: () => Promise<void>;
  /** Lets time pass, and asks and publishes, until no sweep of the account is under way. */
  readonly finish: (accountId: string) => Promise<void>;
  /** The process that collects ends. */
  readonly stop: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Sweeps for now are planned by a thread, by the machine's clock. The held clock stays so far ahead
 * that what was noted by it is not yet old when the machine has been slow.
 */
const aheadMs = 10 * 60_000;
const dayMs = 86_400_000;

/** Caps are of a UTC day: shortly before its end, the clock stays in it. */
function ahead(): number {
  const now = Date.now();
  const lastMinute = (Math.floor(now / dayMs) + 1) * dayMs - 60_000;
  return Math.max(now, Math.min(now + aheadMs, lastMinute));
}

/** In seconds of the held clock, more than what is asked again needs. */
const stepsMax = 2_000;

/** Two are missing, which must be seen too. */
const { perplexity: _perplexity, xai: _xai, ...secrets } = standInCredentials;

/** A model that reads answers: the stand-in's. */
const readerSettings = {
  readerUrl: "https://reader.example/v1",
  readerModel: "reader-1",
  readerPrice: "0.2/0.8",
};

/**
 * Starts a service and what collects for it, which does nothing by itself, nor by a schedule.
 * @param reads a model reads answers.
 */
export async function startCollectingService({ reads = false } = {}): Promise<CollectingService> {
  const clock = new HeldClock(ahead());
  const settings = reads ? readerSettings : {};
  const { reader } = readReader(settings);
  // Its thread would ask with credentials that a case stores, of the vendors themselves.
  const { service } = await startConsole({ collect: "off", ...settings }, { clock });
  const standIn = await startStandIn({ clock });
  const collection = collectionOf(service.services, {
    clock,
    standIn: standIn.url,
    secrets,
    reader,
  });
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await collection.close(Promise.resolve());
    isStopped = true;
  };
  return {
    service,
    standIn,
    stop,
    origin: await service.listen(),
    reportHealth: () => reportedHealth(collection),
    ask: () => {
      clock.advance(1_000); // it looks for what to ask once an instant
      return askNow({ collection });
    },
    finish: async (accountId) => {
      for (let step = 0; step < stepsMax; step++) {
        await askNow({ collection });
        await collection.publish();
        const sweeps = await sweepsOf(service.services.control, accountId, 50, clock.now());
        const parts = sweeps.flatMap((sweep) => sweep.parts);
        if (parts.every(({ publishedAt }) => publishedAt !== null)) return;
        clock.advance(1_000);
      }
      throw new Error(`a sweep did not end in ${stepsMax} seconds`);
    },
    close: async () => {
      await stop();
      await standIn.close();
      await service.close();
    },
  };
}
