import assert from "node:assert/strict";
import { connect, createServer, type Socket } from "node:net";
import { test } from "node:test";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { startMailServer } from "@sightline/test-kit/mail-server.ts";
import { ownCertificate } from "@sightline/test-kit/own-certificate.ts";
import { listening } from "@sightline/test-kit/webhook-receiver.ts";
import { type Mail, Mailer, type MailerOptions } from "./mailer.ts";

const { signal } = new AbortController();
const mailFrom = "Sightline <reports@example.com>";
const mail: Mail = {
  id: "msg_1",
  to: ["one@example.com", "two@example.com"],
  subject: "Acme: Ünïcode",
  text: "A line.\n.\nA line after a dot.",
  html: "<p>A line.</p>",
};
const taken = { status: 250, error: null, refused: null };
const unsent = (error: string) => ({ status: null, error, refused: null });

function mailerOf(smtpUrl: string, options: Partial<MailerOptions> = {}): Mailer {
  const mailer = Mailer.of({ smtpUrl, mailFrom }, { clock: new HeldClock(), ...options });
  assert.ok(mailer !== null);
  return mailer;
}

test("a mail has its sender, addresses, id and date, in text and HTML", async (t) => {
  const server = await startMailServer(t);
  const clock = new HeldClock();
  const sent = await mailerOf(`smtp://127.0.0.1:${server.port}`, { clock }).send(mail, signal);
  assert.deepEqual(sent, taken);
  const [received, ...others] = server.received;
  assert.deepEqual(others, []);
  const { source = "", ...envelope } = received ?? {};
  assert.deepEqual(envelope, {
    from: "reports@example.com",
    to: mail.to,
    isSecure: false,
    user: null,
  });
  const head = source.slice(0, source.indexOf("\r\n\r\n")).split("\r\n");
  const [boundary = ""] = /--_[^"]+/.exec(head.join("\n")) ?? [];
  assert.deepEqual(
    head.map((line) => line.replace(boundary, "BOUNDARY")),
    [
      "Auto-Submitted: auto-generated",
      "From: Sightline <reports@example.com>",
      "To: one@example.com, two@example.com",
      "Subject: =?UTF-8?Q?Acme=3A_=C3=9Cn=C3=AFcode?=",
      "Message-ID: <msg_1@example.com>",
      `Date: ${new Date(clock.now()).toUTCString().replace("GMT", "+0000")}`,
      "MIME-Version: 1.0",
      "Content-Type: multipart/alternative;",
      ' boundary="BOUNDARY"',
    ],
  );
  assert.match(source, /\r\nA line\.\r\n\.\r\nA line after a dot\.\r\n/);
  assert.match(source, /<p>A line\.<\/p>/);
});

test("a login and a mail are sent over TLS alone, to a server whose name is checked", async (t) => {
  const { key, cert } = ownCertificate(t, "localhost");
  const login = { user: "sight line", pass: "p@ss:wörd" };
  const user = `${encodeURIComponent(login.user)}:${encodeURIComponent(login.pass)}`;
  for (const secure of [true, false]) {
    const server = await startMailServer(t, { key, cert, secure, login });
    const address = secure ? "smtps://" : "smtp://";
    const url = (options: string) =>
      `${address}${user}@localhost:${server.port}${secure ? "" : options}`;
    const required = url("?starttls=required");
    assert.deepEqual(await mailerOf(required, { ca: cert }).send(mail, signal), taken);
    assert.deepEqual(
      server.received.map(({ isSecure, user: who }) => [isSecure, who]),
      [[true, login.user]],
    );
    const untrusted = await mailerOf(required).send(mail, signal);
    const why = "the SMTP server offers no TLS, or a certificate that is not trusted";
    assert.deepEqual(untrusted, unsent(why));
    const other = required.replace("localhost", "127.0.0.1");
    assert.deepEqual(await mailerOf(other, { ca: cert }).send(mail, signal), unsent(why));
    assert.equal(server.received.length, 1);
  }
});

test("a server without TLS gets neither a login nor a mail where TLS is required", async (t) => {
  const said: string[] = [];
  const login = { user: "user", pass: "secret" };
  const server = await startMailServer(t, { login });
  const proxy = createServer((client) => {
    const upstream = connect(server.port, "127.0.0.1");
    client.on("data", (data) => said.push(data.toString("utf8")));
    client.pipe(upstream).pipe(client);
    client.on("error", () => upstream.destroy());
  });
  const { port } = await listening(proxy);
  t.after(() => new Promise((closed) => proxy.close(closed)));
  const url = `smtp://user:secret@127.0.0.1:${port}`;
  const reply = await mailerOf(`${url}?starttls=required`).send(mail, signal);
  assert.equal(reply.error, "the SMTP server offers no TLS, or a certificate that is not trusted");
  assert.doesNotMatch(said.join(""), /AUTH|MAIL FROM/);
  assert.deepEqual(
    await mailerOf(url).send(mail, signal),
    taken,
    "on this machine it may be clear",
  );
  assert.match(said.join(""), /AUTH PLAIN/);
});

test("what the server refuses is reported, and whether it is for good", async (t) => {
  const login = { user: "user", pass: "secret" };
  const server = await startMailServer(t, { login });
  const mailer = mailerOf(`smtp://user:secret@127.0.0.1:${server.port}`);
  const other = mailerOf(`smtp://user:other@127.0.0.1:${server.port}`);
  assert.deepEqual(await other.send(mail, signal), {
    status: 535,
    error: "the SMTP server refused the user or the password",
    refused: null,
  });
  server.refusals.push(451, 552);
  const refusedMail = "the SMTP server refused the mail";
  const later = { status: 451, error: refusedMail, refused: null };
  assert.deepEqual(await mailer.send(mail, signal), later);
  const never = { status: 552, error: refusedMail, refused: "mail" };
  assert.deepEqual(await mailer.send(mail, signal), never);
  server.unknown.add("two@example.com");
  const partly = { status: 250, error: "taken for 1 of 2 addresses", refused: null };
  assert.deepEqual(await mailer.send(mail, signal), partly);
  assert.deepEqual(
    server.received.map(({ to }) => to),
    [["one@example.com"]],
  );
  server.unknown.add("one@example.com");
  assert.deepEqual(await mailer.send(mail, signal), {
    status: 550,
    error: "the SMTP server refused the addresses",
    refused: "addresses",
  });
  // What is wrong with the sender is wrong with no address: the mail is sent again.
  server.unknown.clear();
  server.unknown.add("reports@example.com");
  assert.deepEqual(await mailer.send(mail, signal), {
    status: 553,
    error: "the SMTP server refused the sender, or takes no mail now",
    refused: null,
  });
  assert.equal(await mailer.check(signal), null);
  assert.equal(await other.check(signal), "the SMTP server refused the user or the password");
});

test("a server that is down, silent, slow or no SMTP server is reported, and left", async (t) => {
  const sockets: Socket[] = [];
  const talk = { greeting: "" };
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    if (talk.greeting !== "") socket.write(talk.greeting);
    // A reply that goes on and on is activity, and does not extend the deadline.
    const drip = setInterval(() => socket.write("250-x\r\n"), 20);
    socket.on("close", () => clearInterval(drip));
  });
  const { port } = await listening(server);
  t.after(() => new Promise((closed) => server.close(closed)));
  const hasty = mailerOf(`smtp://127.0.0.1:${port}`, { withinMs: 150 });
  assert.deepEqual(await hasty.send(mail, signal), unsent("no reply in time"));
  talk.greeting = "220 slow\r\n";
  assert.deepEqual(await hasty.send(mail, signal), unsent("no reply in time"));
  talk.greeting = "HTTP/1.1 400 Bad Request\r\n\r\n";
  const { status, error } = await hasty.send(mail, signal);
  assert.deepEqual([status, error], [null, "the SMTP server does not speak SMTP"]);
  const stop = new AbortController();
  talk.greeting = "220 slow\r\n";
  const patient = mailerOf(`smtp://127.0.0.1:${port}`);
  const stopped = patient.send(mail, stop.signal);
  server.once("connection", () => stop.abort(new Error("the service stops")));
  await assert.rejects(stopped, /the service stops/);
  const closed = createServer();
  const { port: free } = await listening(closed);
  await new Promise((done) => closed.close(done));
  const down = mailerOf(`smtp://127.0.0.1:${free}`);
  assert.deepEqual(await down.send(mail, signal), unsent("the SMTP server cannot be reached"));
  assert.equal(await down.check(signal), "the SMTP server cannot be reached");
});

test("no name adds a line to the head, nor an address to the envelope", async (t) => {
  const server = await startMailServer(t);
  const hostile = "Acme\r\nBcc: victim@example.com\r\n\r\n<script>\u2028\u0000 =?UTF-8?Q?x?=";
  const sender = '"Evil\\" <a@example.com>, <b@example.com>';
  assert.equal(
    Mailer.of({ smtpUrl: "smtp://x", mailFrom: sender }, { clock: new HeldClock() }),
    null,
  );
  const mailer = mailerOf(`smtp://127.0.0.1:${server.port}`);
  const lines = { subject: hostile, text: `.\r\nQUIT\r\n${hostile}`, html: hostile };
  assert.deepEqual(await mailer.send({ ...mail, ...lines }, signal), taken);
  const [received] = server.received;
  assert.deepEqual(received?.to, mail.to);
  const head = received?.source.slice(0, received.source.indexOf("\r\n\r\n")) ?? "";
  const names = head.split(/\r\n(?! )/).map((line) => line.slice(0, line.indexOf(":")));
  assert.deepEqual(names, [
    ...["Auto-Submitted", "From", "To", "Subject", "Message-ID", "Date", "MIME-Version"],
    "Content-Type",
  ]);
});
