import { isMailAddress } from "@sightline/contract";
import { parsedAddress } from "../platform/masked-address.ts";

/** The server that takes the mail, and how it is reached. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /**
   * `always`: TLS from the first byte; `starttls`: before anything else is said, or no mail is
   * sent; `never`: in clear text.
   */
  readonly tls: "always" | "starttls" | "never";
  /** Null: the server asks for none. */
  readonly login: { readonly user: string; readonly pass: string } | null;
}

/** A sender as mails show it. */
export interface MailSender {
  readonly name: string;
  readonly address: string;
}

/** The ports of submission (RFC 8314). */
const ports = { "smtp:": 587, "smtps:": 465 } as const;
const senderNameCharactersMax = 200;

/** The server of an address (`smtp://` or `smtps://`); null: it is none. */
export function smtpServerOf(text: string): SmtpServer | null {
  const url = parsedAddress(text);
  if (url === null || (url.protocol !== "smtp:" && url.protocol !== "smtps:")) return null;
  if (!["", "/"].includes(url.pathname) || url.hash !== "" || !hasKnownOptions(url)) return null;
  const [user, pass] = [decoded(url.username), decoded(url.password)];
  if (user === null || pass === null || (user === "") !== (pass === "")) return null;
  const isSecure = url.protocol === "smtps:";
  const starttls = url.searchParams.get("starttls");
  if (isSecure && starttls !== null) return null;
  const isClear = starttls === null ? isLoopback(url.hostname) : starttls === "off";
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? ports[url.protocol] : Number(url.port),
    tls: isSecure ? "always" : isClear ? "never" : "starttls",
    login: user === "" ? null : { user, pass },
  };
}

/** A sender, as `Sightline <reports@example.com>` or as an address alone; null: it is none. */
export function mailSenderOf(text: string): MailSender | null {
  const [, name = "", bracketed] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
  const address = bracketed ?? text.trim();
  const isName = name.length <= senderNameCharactersMax && !/[\p{Cc}\p{Cs}]/u.test(name);
  return isName && isMailAddress(address) ? { name: name.trim(), address } : null;
}

function hasKnownOptions({ searchParams }: URL): boolean {
  return [...searchParams].every(
    ([name, value]) => name === "starttls" && ["off", "required"].includes(value),
  );
}

/** What stays on the machine needs no TLS, and its certificate is seldom one that is trusted. */
function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
