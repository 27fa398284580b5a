import { BlockList, isIP, isIPv6 } from "node:net";
import type { Scope } from "@sightline/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "../platform/service-error.ts";
import type { HttpServices } from "./http-services.ts";
import type { InFlightCalls } from "./in-flight-calls.ts";
import type { CallerKey, CallerKind } from "./operation.ts";

/** A request, and the way that it takes. */
interface Entering {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly kind: CallerKind;
}

/** What callers are counted and watched by. */
interface Admission {
  readonly services: Pick<HttpServices, "limits">;
  readonly inFlightCalls: InFlightCalls;
}

/**
 * Lets a caller through who has a session, calls left and the scope, in this order. The reply has
 * the state of the limits, whatever comes of it. @throws ServiceError.
 */
export async function admit(
  { services: { limits }, inFlightCalls }: Admission,
  { request, reply, kind }: Entering,
  scope: Scope,
): Promise<void> {
  const caller = await kind.identify(request);
  reply.headers(await limits.take(caller));
  requireScope(caller, scope);
  request.caller = caller;
  request.ended = inFlightCalls.begin(reply.raw, () => kind.isStillGood(request, caller, scope));
}

/** Aborts when the call of a caller who was let through has to end. */
export function endOf({ ended }: FastifyRequest): AbortSignal {
  if (ended === null) throw new Error("a request came through without a session");
  return ended;
}

/** The key of a caller who was let through. */
export function callerOf({ caller }: FastifyRequest): CallerKey {
  if (caller === null) throw new Error("a request came through without a session");
  return caller;
}

/** A key does what its scopes say and nothing else. @throws ServiceError scope_missing. */
export function requireScope({ scopes }: Pick<CallerKey, "scopes">, scope: Scope): void {
  if (scopes.includes(scope)) return;
  throw new ServiceError(
    "scope_missing",
    `This operation needs a key with the scope ${scope}; yours has ${scopes.join(", ")}. ` +
      `Create one with \`sightline keys create --scope ${scope}\`.`,
  );
}

/** Whether an address, perhaps with a port, is a trusted proxy's: what Fastify asks of each. */
export function trustOf(networks: readonly string[]): (address: string) => boolean {
  const trusted = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    const family = familyOf(address);
    trusted.addSubnet(address, Number(bits ?? (family === "ipv4" ? 32 : 128)), family);
  }
  return (text) => {
    const address = withoutPort(text);
    return isIP(address) !== 0 && trusted.check(address, familyOf(address));
  };
}

/**
 * The caller's address: the connection's, or the one that trusted proxies forward for. Where a
 * proxy forwards something other than an address (`unknown`, `_hidden`), the proxy's own.
 */
export function callerAddress({ ips = [], ip }: FastifyRequest): string {
  return ips.map(withoutPort).findLast((address) => isIP(address) !== 0) ?? ip;
}

/** Some proxies forward `192.0.2.1:4711` and `[2001:db8::1]:4711`; a port makes nobody another. */
function withoutPort(text: string): string {
  const [, bracketed, plain] = /^(?:\[(.*)\]|([\d.]+))(?::\d+)?$/.exec(text) ?? [];
  return bracketed ?? plain ?? text;
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 4 ? "ipv4" : "ipv6";
}

/**
 * The unit of counting: an IPv4 address, or the /64 network of an IPv6 address, since a client with
 * one address of it usually has all of it. An IPv4 address written as IPv6 is the IPv4 address.
 */
export function addressGroup(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = "", tail] = (address.split("%")[0] ?? "").split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const gap = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...new Array<string>(Math.max(0, gap)).fill("0"), ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
