import { resolve } from "node:path";
import { sightlineVersion } from "@sightline/contract/version";
import { type Config, changedSettings } from "./config.ts";
import type { DocumentFolders } from "./pages/documents.ts";
import { type Clock, systemClock } from "./platform/clock.ts";
import { serviceApp } from "./service-app.ts";
import { openServices, type Services } from "./services.ts";

/** A service that listens. */
export interface RunningServer {
  /** Base address, such as http://127.0.0.1:8080. */
  readonly url: string;
  readonly services: Services;
  /** Resolves when every account's facts are caught up, or when it is told to stop. */
  readonly ready: () => Promise<void>;
  /** Lets requests in flight finish, then closes everything. The reason is for the log. */
  readonly stop: (reason?: string) => Promise<void>;
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
  const app = serviceApp(services);
  let url: string;
  try {
    url = await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    await services.close();
    throw error;
  }
  const { logger } = services;
  logger.info({ url, ...startedWith(config) }, "started");
  const stop = async (reason: string) => {
    logger.info({ reason }, "stopping");
    services.lifecycle.stopping = true;
    await pause(drainMs);
    await app.close();
    await services.close();
    logger.info({ reason }, "stopped");
  };
  let stopped: Promise<void> | null = null;
  return {
    url,
    services,
    ready: async () => {
      const { projection, lifecycle } = services;
      while (!lifecycle.stopping && projection.notReady().length > 0) await pause(readyPollMs);
    },
    stop: (reason = "asked by its caller") => {
      stopped ??= stop(reason);
      return stopped;
    },
  };
}

/** What explains a service's behaviour later on. No setting is a secret. */
function startedWith(config: Config) {
  const { dataDir } = config;
  return {
    version: sightlineVersion,
    node: process.versions.node,
    dataDir: resolve(dataDir),
    settings: changedSettings(config),
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, ms);
  });
}
