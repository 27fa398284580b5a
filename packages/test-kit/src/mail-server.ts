import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import type { AfterHook } from "./sample-account.ts";

/** A mail as a server got it. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Head and body, with CRLF. */
  readonly source: string;
  /** Whether it came over TLS. */
  readonly isSecure: boolean;
  /** The name of a login; null: there was none. */
  readonly user: string | null;
}

/** A server of mail on this machine. */
export interface MailServer {
  readonly port: number;
  /** All mails that it took, oldest first. */
  readonly received: ReceivedMail[];
  /** Replies to the next mails, each used once; a number: the mail is refused with it. */
  readonly refusals: number[];
  /** Addresses that it does not have, or does not take mails from. */
  readonly unknown: Set<string>;
}

/** How the server speaks. */
export interface MailServerOptions {
  /** PEM; the server then offers STARTTLS, or speaks TLS from the first byte where `secure` is. */
  readonly key?: Buffer;
  readonly cert?: string;
  readonly secure?: boolean;
  /** The only login; none is asked for when it is omitted. */
  readonly login?: { readonly user: string; readonly pass: string };
  /** Called when a mail has come; the server replies when it resolves. */
  readonly onMail?: () => Promise<void>;
}

/** Starts a server of mail, which ends with the test. */
export async function startMailServer(
  t: AfterHook,
  { login, onMail, ...tls }: MailServerOptions = {},
): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const refusals: number[] = [];
  const unknown = new Set<string>();
  const server = new SMTPServer({
    ...tls,
    logger: false,
    disabledCommands: [...(tls.key === undefined ? ["STARTTLS"] : []), ...(login ? [] : ["AUTH"])],
    authOptional: login === undefined,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) => {
      const isKnown = username === login?.user && password === login?.pass;
      if (isKnown) done(null, { user: username });
      else done(refused(535, "No"));
    },
    onMailFrom: ({ address }, _session, done) => {
      done(unknown.has(address) ? refused(553, "Not your sender") : null);
    },
    onRcptTo: ({ address }, _session, done) => {
      done(unknown.has(address) ? refused(550, "No such mailbox here") : null);
    },
    onData: async (stream, { envelope, secure, user }, done) => {
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of stream) chunks.push(chunk as Buffer);
      } catch {
        return; // the client ended in the middle of its mail
      }
      await onMail?.();
      const status = refusals.shift();
      if (status !== undefined) return done(refused(status, "Not now"));
      received.push({
        from: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
        to: envelope.rcptTo.map(({ address }) => address),
        source: Buffer.concat(chunks).toString("utf8"),
        isSecure: secure,
        user: typeof user === "string" ? user : null,
      });
      done();
    },
  } satisfies SMTPServerOptions);
  server.on("error", () => undefined); // a client may hang up at any time
  const listener = server.listen(0, "127.0.0.1");
  await once(listener, "listening");
  t.after(() => new Promise<void>((closed) => server.close(() => closed())));
  return { port: (listener.address() as AddressInfo).port, received, refusals, unknown };
}

function refused(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
