import { quoted } from "./quoted.ts";

/** The longest address of a mailbox (RFC 5321, 4.5.3.1.3, without the angle brackets). */
const addressCharactersMax = 254;
const localCharactersMax = 64;
/** The most mailboxes that one webhook sends to. */
export const mailAddressesMax = 20;

/** Dots between words (RFC 5322, dot-atom): neither quotes nor comments, which nobody types. */
const localPattern = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const domainPattern = /^(?:[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?\.)+[A-Za-z\d-]{2,63}$/;

/** Whether a text is the address of a mailbox: ASCII, a domain with a dot, no name around it. */
export function isMailAddress(text: string): boolean {
  const at = text.lastIndexOf("@");
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || text.length > addressCharactersMax || local.length > localCharactersMax)
    return false;
  return localPattern.test(local) && domainPattern.test(domain);
}

/** Whether a URL names mailboxes. */
export function isMailto(url: string): boolean {
  return /^mailto:/i.test(url);
}

/** The mailboxes of a mailto URL (RFC 6068), or why it is none. */
export type ReadMailto =
  | { readonly addresses: readonly string[]; readonly fault: null }
  | { readonly addresses: null; readonly fault: string };

/** Reads a mailto URL. A fault follows the name of the field: must have at most 20 addresses. */
export function readMailto(url: string): ReadMailto {
  const list = url.trim().replace(/^mailto:/i, "");
  if (/[?#]/.test(list)) return faulty("must have addresses alone, without ? and #");
  const addresses = new Map<string, string>();
  for (const each of list.split(",")) {
    const address = decoded(each.trim());
    if (address === null || !isMailAddress(address)) {
      return faulty(
        "must be mailto: and comma-separated addresses, such as mailto:person@example.com; " +
          `got ${quoted(each)}`,
      );
    }
    addresses.set(address.toLowerCase(), address);
  }
  if (addresses.size > mailAddressesMax) {
    return faulty(`must have at most ${mailAddressesMax} addresses, got ${addresses.size}`);
  }
  return { addresses: [...addresses.values()], fault: null };
}

/** The mailto URL of mailboxes. */
export function mailtoOf(addresses: readonly string[]): string {
  const encoded = addresses.map((address) =>
    encodeURIComponent(address).replaceAll("%40", "@").replaceAll("%2B", "+"),
  );
  return `mailto:${encoded.join(",")}`;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function faulty(fault: string): ReadMailto {
  return { addresses: null, fault };
}
