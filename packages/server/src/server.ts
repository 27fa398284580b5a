import type { Config } from "./config.ts";
import { createApp } from "./http/app.ts";
import type { DocumentFolders } from "./http/documents/documents.ts";
import { type Clock, systemClock } from "./platform/clock.ts";
import { openServices, type Services } from "./services.ts";

/** A service that listens. */
export interface RunningServer {
  /** Base address, such as http://127.0.0.1:8080. */
  readonly url: string;
  readonly services: Services;
  /** Resolves when every account's facts are caught up, or when it is told to stop. */
  readonly ready: () => Promise<void>;
  /** Lets requests in flight finish, then closes everything. */
  readonly stop: () => Promise<void>;
}

/** How long requests that were on their way when the stop came are still answered. */
const drainMs = 250;
const readyPollMs = 25;

/**
 * Opens the data folder and listens. @throws DataFolderInUseError, or the system's listen error.
 */
export async function startServer(
  config: Config,
  clock: Clock = systemClock,
  documents?: DocumentFolders,
): Promise<RunningServer> {
  const services = await openServices(config, clock, documents);
  const app = createApp(services);
  let url: string;
  try {
    url = await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    await services.close();
    throw error;
  }
  const stop = async () => {
    services.lifecycle.stopping = true;
    await pause(drainMs);
    await app.close();
    await services.close();
  };
  let stopped: Promise<void> | null = null;
  return {
    url,
    services,
    ready: async () => {
      const { facts, lifecycle } = services;
      while (!lifecycle.stopping && facts.notReady().length > 0) await pause(readyPollMs);
    },
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
