import { BlockList, isIP } from "node:net";
import type { FastifyRequest } from "fastify";

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
 * Who called: the connection's address, or the one that trusted proxies forward for. Where a proxy
 * forwards something other than an address (`unknown`, `_hidden`), the proxy's own.
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
