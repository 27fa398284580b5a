import { resolve } from "node:path";
import { sightlineVersion } from "@sightline/contract/version";
import type { FastifyInstance } from "fastify";
import { firstRunOperations } from "./accounts/first-run/routes.ts";
import { accountOperations } from "./accounts/routes.ts";
import { answerOperations } from "./answers/routes.ts";
import { auditOperations } from "./audit/routes.ts";
import { collectionOperations } from "./collection/routes.ts";
import { type Config, changedSettings } from "./config.ts";
import { hookOperations } from "./hooks/routes.ts";
import { createApp } from "./http/app.ts";
import type { Operation } from "./http/operation.ts";
import { consoleSessionOperations } from "./keys/console/routes.ts";
import { keyOperations } from "./keys/routes.ts";
import { linkOperations } from "./links/routes.ts";
import { sharedOperations } from "./links/shared-routes.ts";
import { addMcp } from "./mcp/add-mcp.ts";
import { operationalOperations } from "./operations/routes.ts";
import type { DocumentFolders } from "./pages/documents.ts";
import { consolePageOperations, pageOperations } from "./pages/routes.ts";
import { personOperations } from "./people/console-routes.ts";
import { peopleOperations } from "./people/routes.ts";
import { type Clock, systemClock } from "./platform/clock.ts";
import { portfolioOperations } from "./portfolio/routes.ts";
import { questionOperations } from "./questions/routes.ts";
import { reportOperations } from "./reports/routes.ts";
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

const consoleOperations: readonly Operation<Services>[] = [
  ...consolePageOperations,
  ...consoleSessionOperations,
  ...personOperations,
  ...portfolioOperations,
  ...firstRunOperations,
];

/** Every address of the service, but that of the tools for assistants. */
export function operationsOf(hasConsole: boolean): readonly Operation<Services>[] {
  return [
    ...questionOperations,
    ...accountOperations,
    ...auditOperations,
    ...answerOperations,
    ...keyOperations,
    ...peopleOperations,
    ...hookOperations,
    ...reportOperations,
    ...linkOperations,
    ...sharedOperations,
    ...collectionOperations,
    ...pageOperations,
    ...operationalOperations,
    ...(hasConsole ? consoleOperations : []),
  ];
}

/** The whole service over HTTP, not yet listening. */
export function serviceApp(services: Services, connectionsPerAddress?: number): FastifyInstance {
  const operations = operationsOf(services.config.console === "on");
  return createApp(services, operations, {
    extend: addMcp,
    ...(connectionsPerAddress === undefined ? {} : { connectionsPerAddress }),
  });
}
