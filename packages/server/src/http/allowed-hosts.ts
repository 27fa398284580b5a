import type { FastifyInstance } from "fastify";
import { healthzRoute } from "../operations/routes/healthz/route.ts";
import { readyzRoute } from "../operations/routes/readyz/route.ts";
import { ServiceError } from "../platform/service-error.ts";
import { refuse } from "./hooks.ts";

/** Probes ask by address, and are told nothing that a page could use. */
const openPaths: readonly string[] = [healthzRoute.path, readyzRoute.path];

/**
 * Refuses requests to other hosts than these; nothing is changed when there are none. A page whose
 * own name was made to lead here (DNS rebinding) is of the same origin for its browser, but it
 * cannot choose the Host field.
 */
export function addAllowedHosts(app: FastifyInstance, hosts: ReadonlySet<string>): void {
  if (hosts.size === 0) return;
  app.addHook("onRequest", ({ headers, routeOptions }, _reply, done) => {
    const isOpen = openPaths.includes(routeOptions.url ?? "");
    if (isOpen || hosts.has(hostOf(headers.host ?? ""))) done();
    else refuse(done, new ServiceError("host_not_allowed", detail));
  });
}

const detail = "This host is not in --allowed-hosts. Use a host name that the operator configured.";

/** The host of a Host field, without its port. */
function hostOf(field: string): string {
  return field.toLowerCase().replace(/:\d*$/, "");
}
