import assert from "node:assert/strict";
import { test } from "node:test";
import { mailSenderOf, smtpServerOf } from "./smtp-address.ts";

test("an address says host, port, TLS and login", () => {
  const login = { user: "a@b", pass: "p:%ß" };
  const cases = [
    ["smtp://mail.example.com", ["mail.example.com", 587, "starttls", null]],
    ["smtps://mail.example.com/", ["mail.example.com", 465, "always", null]],
    ["smtp://a%40b:p%3A%25%C3%9F@h:25", ["h", 25, "starttls", login]],
    ["smtp://h?starttls=off", ["h", 587, "never", null]],
    ["smtp://127.0.0.1:1025", ["127.0.0.1", 1_025, "never", null]],
    ["smtp://[::1]:1025", ["::1", 1_025, "never", null]],
    ["smtp://localhost?starttls=required", ["localhost", 587, "starttls", null]],
    ["smtp://127.0.0.1.example.com", ["127.0.0.1.example.com", 587, "starttls", null]],
  ] as const;
  for (const [text, expected] of cases) {
    const { host, port, tls, login: found } = smtpServerOf(text) ?? {};
    assert.deepEqual([host, port, tls, found], expected, text);
  }
  const none = [
    ...["", "mail.example.com", "http://h", "smtp:h", "smtp://", "smtp://h/path", "smtp://h#a"],
    ...["smtp://h?tls=off", "smtp://h?starttls=maybe", "smtps://h?starttls=off"],
    ...["smtp://user@h", "smtp://:pass@h", "smtp://%zz:a@h", "smtp://user:p#ss@h"],
  ];
  for (const text of none) assert.equal(smtpServerOf(text), null, text);
});

test("a sender is an address, with or without a name", () => {
  assert.deepEqual(mailSenderOf("a@example.com"), { name: "", address: "a@example.com" });
  const named = { name: "Ünï, Ltd", address: "a@example.com" };
  assert.deepEqual(mailSenderOf(" Ünï, Ltd <a@example.com> "), named);
  const none = [
    ...["", "a", "a@b", "<>", "A <a@example.com> <b@example.com>", "A\r\nBcc: b <a@example.com>"],
    ...["a@example.com, b@example.com", `${"x".repeat(201)} <a@example.com>`, "a@ex ample.com"],
  ];
  for (const text of none) assert.equal(mailSenderOf(text), null, text);
});
