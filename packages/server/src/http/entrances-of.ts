import type { AppServices, Entrance } from "./app-services.ts";
import { authenticate } from "./authenticate.ts";
import { consoleAccountPath, consoleCaller } from "./console/console-caller.ts";

/**
 * All ways to the API. An operation is the same by each: checks, limits, queues, replies. No way
 * takes what another one does.
 */
export function entrancesOf(services: AppServices): readonly Entrance[] {
  const bearer: Entrance = {
    prefix: "",
    identify: ({ headers }) => authenticate(services, headers.authorization),
  };
  if (services.config.console === "off") return [bearer];
  const cookie: Entrance = {
    prefix: consoleAccountPath,
    identify: async (request) => (await consoleCaller(services, request)).key,
  };
  return [bearer, cookie];
}
