import type { LookupAddress } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

/**
 * What is not of the public internet (IANA's registries of special-purpose addresses): networks of
 * one's own, this machine, metadata services, documentation, and prefixes with an IPv4 address in
 * them, to which a gateway would translate them.
 */
const reserved4 = [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"],
  ...["172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16"],
  ...["198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"],
];
const reserved6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];
/** All that is allocated to the public internet. */
const public6 = ["2000::/3"];

const reserved = blockListOf(reserved4, reserved6);
const allocated = blockListOf([], public6);

/** Whether an IP address is one of the public internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !reserved.check(address, "ipv4");
  return family === 6 && allocated.check(address, "ipv6") && !reserved.check(address, "ipv6");
}

/** The host of an address, without the brackets of IPv6. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

/** Whether a host is a public IP address, or a name, which has to be looked up. */
export function isPublicHost(host: string): boolean {
  if (isIP(host) !== 0) return isPublicAddress(host);
  return !/(^|\.)localhost\.?$/.test(host);
}

/** A name has no address to which the service may connect. */
export class PrivateAddressError extends Error {
  readonly code = "PRIVATE_ADDRESS";
  constructor() {
    super("the name has no public address");
    this.name = "PrivateAddressError";
  }
}

/**
 * A look-up of names that gives public addresses alone. A connection is made to what it gives, so
 * no later answer of a name server can replace what was checked.
 */
export function publicLookup(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, []);
      const addresses = (found as LookupAddress[]).filter(({ address }) =>
        isPublicAddress(address),
      );
      const [first] = addresses;
      if (first === undefined) return callback(new PrivateAddressError(), []);
      if (options.all === true) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };
}

function blockListOf(ipv4: readonly string[], ipv6: readonly string[]): BlockList {
  const list = new BlockList();
  for (const [networks, family] of [
    [ipv4, "ipv4"],
    [ipv6, "ipv6"],
  ] as const) {
    for (const network of networks) {
      const [address = "", bits] = network.split("/");
      list.addSubnet(address, Number(bits), family);
    }
  }
  return list;
}
