import type { FastifyInstance } from "fastify";
import { accountOperations } from "./accounts/routes.ts";
import { answerOperations } from "./answers/routes.ts";
import { collectionOperations } from "./collection/routes.ts";
import { hookOperations } from "./hooks/routes.ts";
import { createApp } from "./http/app.ts";
import type { Operation } from "./http/operation.ts";
import { consoleSessionOperations } from "./keys/console/routes.ts";
import { keyOperations } from "./keys/routes.ts";
import { addMcp } from "./mcp/add-mcp.ts";
import { operationalOperations } from "./operations/routes.ts";
import { consolePageOperations, pageOperations } from "./pages/routes.ts";
import { questionOperations } from "./questions/routes.ts";
import type { Services } from "./services.ts";

/** Every address of the service, but that of the tools for assistants. */
export function operationsOf(hasConsole: boolean): readonly Operation<Services>[] {
  return [
    ...questionOperations,
    ...accountOperations,
    ...answerOperations,
    ...keyOperations,
    ...hookOperations,
    ...collectionOperations,
    ...pageOperations,
    ...operationalOperations,
    ...(hasConsole ? [...consolePageOperations, ...consoleSessionOperations] : []),
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
