import { quoted } from "@sightline/contract";
import { CommandError } from "../result.ts";

const keyCharactersMax = 1_000;

/**
 * A service's base address without a trailing slash.
 * @throws CommandError when it is invalid, or has parts that do not belong there: a user and
 * password would end up in histories and logs.
 */
export function addressOf(text: string, source: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isAddress =
    url !== null &&
    ["http:", "https:"].includes(url.protocol) &&
    [url.username, url.password, url.search, url.hash].every((part) => part === "");
  if (isAddress) return url.href.replace(/\/+$/, "");
  // An address with a password is not repeated.
  const got = text.includes("@") ? "" : ` ${quoted(text)}`;
  throw new CommandError(
    `${source}: invalid address${got}. Use an http or https URL without user, query or ` +
      "fragment, such as https://sightline.example.",
    2,
  );
}

/**
 * A key that can be sent.
 * @throws CommandError, which does not repeat it.
 */
export function keyOf(text: string, source: string): string {
  if (/^[\x21-\x7e]+$/.test(text) && text.length <= keyCharactersMax) return text;
  throw new CommandError(
    `${source}: not an API key. A key begins with sl_ and has no spaces. ` +
      "Create one: sightline keys create",
    2,
  );
}

/** Whether a key sent there is unencrypted: plain HTTP to another machine. */
export function isReadableOnTheWay(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  const isHere = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  return protocol === "http:" && !isHere;
}
