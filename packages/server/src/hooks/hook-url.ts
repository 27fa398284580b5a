import { hookUrlCharactersMax } from "@sightline/contract";
import { hostOf, isPublicHost } from "../platform/public-address.ts";

/**
 * Why events cannot be sent to a URL; null: they can. The addresses that a name resolves to are
 * checked at each connection.
 * @param toPrivate whether private addresses and http are allowed.
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
