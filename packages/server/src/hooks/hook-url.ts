import {
  type FieldError,
  type HookEvent,
  type HookForm,
  hookUrlCharactersMax,
  isMailto,
  readMailto,
} from "@sightline/contract";
import { hostOf, isPublicHost } from "../platform/public-address.ts";

/** What of a new webhook has to fit together. */
interface Wanted {
  readonly url: string;
  readonly form?: HookForm | undefined;
  readonly events?: readonly HookEvent[] | undefined;
  readonly thresholds?: readonly unknown[] | undefined;
}

/**
 * Why there can be no such webhook, or null. The message follows the name of the field.
 * @param toPrivate whether private addresses and http are allowed.
 */
export function wantedHookFault(
  { url, form, events, thresholds = [] }: Wanted,
  toPrivate: boolean,
): FieldError | null {
  const fault = hookUrlFault(url, toPrivate);
  if (fault !== null) return { path: "/url", code: "not_allowed", message: `${fault}.` };
  if (form !== undefined && (form === "mail") !== isMailto(url)) {
    const message = isMailto(url)
      ? `must be mail for a mailto address, got "${form}".`
      : "must be json, slack, teams or discord for an https address; mail needs a mailto address.";
    return { path: "/form", code: "not_allowed", message };
  }
  if (thresholds.length > 0 && events?.includes("threshold-crossed") === false) {
    const message = "must be empty or left out, unless events have threshold-crossed.";
    return { path: "/thresholds", code: "excluded", message };
  }
  return null;
}

/**
 * Why events cannot be sent to a URL; null: they can. The addresses that a name resolves to are
 * checked at each connection.
 * @param toPrivate whether private addresses and http are allowed.
 */
export function hookUrlFault(text: string, toPrivate: boolean): string | null {
  if (isMailto(text)) return readMailto(text).fault;
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
