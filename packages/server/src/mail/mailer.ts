import type { SMTPConnectionSendInfo } from "nodemailer/lib/smtp-connection";
import type { Clock } from "../platform/clock.ts";
import { type MailSender, mailSenderOf, type SmtpServer, smtpServerOf } from "./smtp-address.ts";

/** A mail of the service. Nothing of it is read from files or addresses. */
export interface Mail {
  /** The same each time the mail is sent: it is the Message-ID, by which programs know a copy. */
  readonly id: string;
  /** Addresses of mailboxes, as `isMailAddress` has them. */
  readonly to: readonly string[];
  /** Control characters become spaces. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** What became of a mail. */
export interface MailReply {
  /** The server's reply to the mail (RFC 5321, 4.2); null: there was none. */
  readonly status: number | null;
  /** Why it was not taken, or for which addresses; null: it was taken for all. */
  readonly error: string | null;
  /** What the server refused for good, so that it need not be sent again; null: nothing. */
  readonly refused: "addresses" | "mail" | null;
}

/** The settings that mail needs. */
export interface MailSettings {
  readonly smtpUrl: string | null;
  readonly mailFrom: string | null;
}

/** What the mails are made with. */
export interface MailerOptions {
  readonly clock: Pick<Clock, "now">;
  /** PEM certificates of trusted authorities; the system's when omitted. */
  readonly ca?: string;
  readonly withinMs?: number;
}

/** A mail takes no longer, from the look-up of the name on; a claim of a delivery lasts longer. */
const withinMsUnlessSaid = 30_000;
const replyBytesMax = 65_536;
const subjectCharactersMax = 250;

/** Sends mails through the operator's SMTP server, each over a connection of its own. */
export class Mailer {
  readonly #server: SmtpServer;
  readonly #sender: MailSender;
  readonly #options: MailerOptions;

  private constructor(server: SmtpServer, sender: MailSender, options: MailerOptions) {
    this.#server = server;
    this.#sender = sender;
    this.#options = options;
  }

  /** Null: no SMTP server is set. */
  static of({ smtpUrl, mailFrom }: MailSettings, options: MailerOptions): Mailer | null {
    const server = smtpUrl === null ? null : smtpServerOf(smtpUrl);
    const sender = mailFrom === null ? null : mailSenderOf(mailFrom);
    return server === null || sender === null ? null : new Mailer(server, sender, options);
  }

  /** Sends a mail once. @throws nothing but the signal's reason when it aborts. */
  async send(mail: Mail, signal: AbortSignal): Promise<MailReply> {
    return this.#within(signal, async (session) => {
      const message = await this.#compose(mail);
      const envelope = { from: this.#sender.address, to: [...mail.to], size: message.length };
      return takenReply(await session.send(envelope, message), mail.to.length);
    });
  }

  /** Why the server takes no mail, without sending one; null: it does. */
  async check(signal: AbortSignal): Promise<string | null> {
    const open = { status: null, error: null, refused: null };
    return (await this.#within(signal, async () => open)).error;
  }

  /** Runs `work` once the server takes mails. */
  async #within(
    signal: AbortSignal,
    work: (session: SmtpSession) => Promise<MailReply>,
  ): Promise<MailReply> {
    const { ca, withinMs = withinMsUnlessSaid } = this.#options;
    const deadline = AbortSignal.timeout(withinMs);
    const session = await SmtpSession.begin(this.#server, {
      ...(ca === undefined ? {} : { ca }),
      withinMs,
      signal: AbortSignal.any([deadline, signal]),
    });
    try {
      await session.open();
      return await work(session);
    } catch (error) {
      signal.throwIfAborted();
      return deadline.aborted ? unsent("no reply in time") : failed(error);
    } finally {
      session.close();
    }
  }

  async #compose({ id, to, subject, text, html }: Mail): Promise<Buffer> {
    const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
    const { name, address } = this.#sender;
    const composer = new MailComposer({
      from: { name, address },
      to: to.map((each) => ({ name: "", address: each })),
      subject: subject
        .replace(/\p{Cc}+/gu, " ")
        .slice(0, subjectCharactersMax)
        .toWellFormed(),
      messageId: `<${id}@${address.slice(address.lastIndexOf("@") + 1)}>`,
      date: new Date(this.#options.clock.now()),
      text,
      html,
      // Nobody's absence is to be replied to us (RFC 3834).
      headers: { "Auto-Submitted": "auto-generated" },
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return composer.compile().build();
  }
}

interface SessionOptions {
  readonly signal: AbortSignal;
  readonly withinMs: number;
  readonly ca?: string;
}

type Connection = InstanceType<typeof import("nodemailer/lib/smtp-connection").default>;

/** A connection that ends when its signal aborts. */
class SmtpSession {
  readonly #connection: Connection;
  readonly #login: SmtpServer["login"];
  /** Rejects when the connection fails, or the signal aborts. */
  readonly #failed: Promise<never>;

  private constructor(connection: Connection, login: SmtpServer["login"], signal: AbortSignal) {
    this.#connection = connection;
    this.#login = login;
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => undefined); // also when nobody waits any more
    this.#failed = promise;
    connection.on("error", reject);
    signal.addEventListener("abort", () => {
      reject(signal.reason);
      connection.close();
    });
  }

  /** The package is loaded with the first mail. */
  static async begin(
    { host, port, tls, login }: SmtpServer,
    { signal, withinMs, ca }: SessionOptions,
  ): Promise<SmtpSession> {
    const { default: SMTPConnection } = await import("nodemailer/lib/smtp-connection");
    const connection = new SMTPConnection({
      host,
      port,
      secure: tls === "always",
      requireTLS: tls === "starttls",
      ignoreTLS: tls === "never",
      connectionTimeout: withinMs,
      greetingTimeout: withinMs,
      socketTimeout: withinMs,
      dnsTimeout: withinMs,
      socketCloseTimeout: 0,
      maxResponseSize: replyBytesMax,
      ...(ca === undefined ? {} : { tls: { ca } }),
    });
    return new SmtpSession(connection, login, signal);
  }

  /** Connects, and signs in where there is a login. */
  async open(): Promise<void> {
    const connection = this.#connection;
    await this.#step((done) => connection.connect(done));
    const login = this.#login;
    if (login !== null) await this.#step((done) => connection.login({ credentials: login }, done));
  }

  send(
    envelope: { readonly from: string; readonly to: string[]; readonly size: number },
    message: Buffer,
  ): Promise<SMTPConnectionSendInfo> {
    return this.#step<SMTPConnectionSendInfo>((done) => {
      this.#connection.send(envelope, message, done);
    });
  }

  /** Says goodbye, and does not wait for the reply. */
  close(): void {
    this.#connection.quit();
    this.#connection.close();
  }

  #step<Result = unknown>(
    work: (done: (error?: Error | null, result?: Result) => void) => void,
  ): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    work((error, result) => (error ? reject(error) : resolve(result as Result)));
    promise.catch(() => undefined);
    return Promise.race([promise, this.#failed]);
  }
}

function takenReply({ response, rejected }: SMTPConnectionSendInfo, sentTo: number): MailReply {
  const status = Number(/^\d{3}/.exec(response)?.[0] ?? 250);
  if (rejected.length === 0) return { status, error: null, refused: null };
  const error = `taken for ${sentTo - rejected.length} of ${sentTo} addresses`;
  return { status, error, refused: null };
}

function unsent(error: string): MailReply {
  return { status: null, error, refused: null };
}

/** The reason of a failure, without host names and what the server says of itself. */
function failed(error: unknown): MailReply {
  const { code, responseCode, syscall, command } = (error ?? {}) as Record<string, unknown>;
  // TRICKY: a certificate that is not trusted is an error of the socket, without a system call.
  const isOfTls = code === "ESOCKET" && syscall === undefined;
  const known = isOfTls ? "ETLS" : typeof code === "string" ? code : "unknown";
  const status = typeof responseCode === "number" && responseCode > 0 ? responseCode : null;
  const why = faults[known] ?? `the mail was not sent (${known.slice(0, 60)})`;
  const isFinal = status !== null && status >= 500;
  // The same code stands for a sender who is refused, which says nothing of the addresses.
  const isOther = known === "EENVELOPE" && command !== "RCPT TO";
  const told = isOther ? "the SMTP server refused the sender, or takes no mail now" : why;
  return { status, error: told, refused: isFinal && !isOther ? (refusals[known] ?? null) : null };
}

/** A refused login may be put right meanwhile: the mail is sent again. */
const refusals: Readonly<Record<string, "addresses" | "mail">> = {
  EENVELOPE: "addresses",
  EMESSAGE: "mail",
};

const faults: Readonly<Record<string, string>> = {
  EDNS: "the name of the SMTP server was not found",
  ESOCKET: "the SMTP server cannot be reached",
  ECONNECTION: "the SMTP server closed the connection",
  ETIMEDOUT: "no reply in time",
  ETLS: "the SMTP server offers no TLS, or a certificate that is not trusted",
  EAUTH: "the SMTP server refused the user or the password",
  EENVELOPE: "the SMTP server refused the addresses",
  EMESSAGE: "the SMTP server refused the mail",
  EPROTOCOL: "the SMTP server does not speak SMTP",
};
