import assert from "node:assert/strict";
import { test } from "node:test";
import { startSample } from "@sightline/test-kit/sample-account.ts";
import { newStaticKey } from "../keys/static-key.ts";

const exchangePath = "/v1/auth/accesskey/exchange";
const trustedProxies = "127.0.0.1, 10.0.0.0/8, 2001:db8::/32";

/** What is forwarded with each of 30 guesses, and how many of them are looked up. */
const forwardings: Readonly<Record<string, readonly [(guess: number) => string, number]>> = {
  "addresses differ": [(guess) => `9.9.9.${guess}`, 30],
  "networks of IPv6 differ": [(guess) => `2001:dc8:0:${guess}::1`, 30],
  "ports of IPv4 differ": [(guess) => `9.9.9.9:${1_000 + guess}`, 10],
  "ports of IPv6 differ": [(guess) => `[2001:dc8::1]:${1_000 + guess}`, 10],
  "only some have brackets": [(guess) => (guess % 2 === 0 ? "2001:dc8::1" : "[2001:dc8::1]"), 10],
  "there are ports on trusted proxies": [(guess) => `9.9.9.9, 10.0.0.1:${1_000 + guess}`, 10],
  "callers differ behind such a proxy": [(guess) => `9.9.9.${guess}, 10.0.0.1:1000`, 30],
  "no address is forwarded": [(guess) => `unknown${guess}`, 10],
  "what stands before no address differs": [(guess) => `9.9.9.${guess}, _hidden`, 10],
  "no address comes by way of two proxies": [(guess) => `:${guess}, 2001:db8::1, 10.0.0.1`, 10],
};

test("callers are distinguished by address, whatever proxies forward beside it", async (t) => {
  const { service } = await startSample(t, { trustedProxies });
  for (const [what, [forwarding, expected]] of Object.entries(forwardings)) {
    service.clock.advance(60_000); // earlier guesses are forgotten
    let lookedUp = 0;
    for (let guess = 0; guess < 30; guess++) {
      const headers = { "x-forwarded-for": forwarding(guess) };
      const reply = await service.post(exchangePath, { token: newStaticKey().key, headers });
      if (reply.status === 401) lookedUp++;
    }
    assert.equal(lookedUp, expected, what);
  }
});
