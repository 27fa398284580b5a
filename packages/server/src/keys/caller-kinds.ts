import type { CallerKind } from "../http/operation.ts";
import { authenticate } from "./authenticate.ts";
import { consoleAccountPath, consoleCaller, findConsoleCaller } from "./console/console-caller.ts";
import type { KeyServices } from "./key-services.ts";

/** What callers are known by. */
type CallerServices = Pick<KeyServices, "sessions" | "keyRing" | "consoleSessions">;

/**
 * All ways to the API. An operation is the same by each: checks, limits, queues, replies. No way
 * takes what another one does.
 */
export function callerKinds(services: CallerServices, hasConsole: boolean): readonly CallerKind[] {
  const bearer: CallerKind = {
    prefix: "",
    identify: ({ headers }) => authenticate(services, headers.authorization),
    isStillGood: async (_request, { id }) => (await services.keyRing.goodKey(id)) !== null,
  };
  if (!hasConsole) return [bearer];
  const cookie: CallerKind = {
    prefix: consoleAccountPath,
    identify: async (request) => (await consoleCaller(services, request)).key,
    isStillGood: async (request, { id }) =>
      (await findConsoleCaller(services, request))?.key.id === id,
  };
  return [bearer, cookie];
}
