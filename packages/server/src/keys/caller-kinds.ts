import type { AppServices, Entrance } from "../http/app-services.ts";
import { authenticate, callerOf } from "./authenticate.ts";
import { consoleAccountPath, consoleCaller, findConsoleCaller } from "./console/console-caller.ts";

/**
 * All ways to the API. An operation is the same by each: checks, limits, queues, replies. No way
 * takes what another one does.
 */
export function entrancesOf(services: AppServices): readonly Entrance[] {
  const bearer: Entrance = {
    prefix: "",
    identify: ({ headers }) => authenticate(services, headers.authorization),
    isStillGood: async (request) => (await services.keyRing.goodKey(callerOf(request).id)) !== null,
  };
  if (services.config.console === "off") return [bearer];
  const cookie: Entrance = {
    prefix: consoleAccountPath,
    identify: async (request) => (await consoleCaller(services, request)).key,
    isStillGood: async (request) =>
      (await findConsoleCaller(services, request))?.key.id === callerOf(request).id,
  };
  return [bearer, cookie];
}
