import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isMailAddress, mailtoOf, readMailto } from "./mail-address.ts";

test("an address is one mailbox, and nothing that a head or a list would read otherwise", () => {
  const good = ["a@example.com", "o'brien+x@mail.example.co.uk", "a.b_c@xn--bcher-kva.example"];
  for (const text of good) assert.ok(isMailAddress(text), text);
  const bad = [
    ...["", "@", "a@", "@example.com", "a@b", "a@@example.com", "a b@example.com"],
    ...["a.@example.com", ".a@example.com", "a..b@example.com", '"a"@example.com'],
    ...["a@example..com", "a@-example.com", "a@example.c", "ä@example.com", "a@exämple.com"],
    ...["a@example.com\r\n", "a,b@example.com", "a@example.com,b", "A <a@example.com>"],
    ...[`${"a".repeat(65)}@example.com`, `a@${"a".repeat(64)}.com`],
    `a@${"a.".repeat(124)}example.com`,
  ];
  for (const text of bad) assert.ok(!isMailAddress(text), text);
});

test("no text with a control, a space or a bracket is an address", () => {
  const sign = fc.constantFrom(...' \t\r\n\0<>,;:()[]"\\');
  const part = fc.string({ maxLength: 20 });
  fc.assert(
    fc.property(part, sign, part, (before, evil, after) => {
      assert.ok(!isMailAddress(`${before}${evil}${after}`));
      assert.ok(!isMailAddress(`a${evil}b@example.com`));
    }),
  );
});

test("what is written as mailto is read back", () => {
  const local = fc.stringMatching(/^[a-z0-9!#$%&'*+/=?^_`{|}~-]{1,20}$/);
  const address = fc.tuple(local, fc.domain()).map(([name, domain]) => `${name}@${domain}`);
  const addresses = fc.uniqueArray(address.filter(isMailAddress), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(addresses, (list) => {
      assert.deepEqual(readMailto(mailtoOf(list)), { addresses: list, fault: null });
      assert.ok(URL.canParse(mailtoOf(list)));
    }),
  );
});
