import { isIP } from "node:net";
import { hookUrlCharactersMax } from "@sightline/contract";
import { isPublicAddress } from "./public-address.ts";

/**
 * Why events cannot be sent to an address; null: they can. Where a name leads is checked at each
 * connection.
 * @param toPrivate whether private addresses, and http, are allowed.
 */
export function hookUrlFault(text: string, toPrivate: boolean): string | null {
  const url = URL.parse(text);
  const schemes = toPrivate ? ["https:", "http:"] : ["https:"];
  if (url === null || !schemes.includes(url.protocol)) {
    return `must be an absolute ${toPrivate ? "https:// or http://" : "https://"} URL`;
  }
  if (url.username !== "" || url.password !== "") return "must not have a name or a password";
  if (url.href.length > hookUrlCharactersMax) {
    return `must have at most ${hookUrlCharactersMax} characters when it is encoded`;
  }
  if (url.hash !== "") return "must not have a fragment (#)";
  if (toPrivate || isPublicHost(hostOf(url))) return null;
  return "must not lead to a private address, unless --hooks-to-private is on";
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
