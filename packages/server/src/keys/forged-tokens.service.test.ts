import assert from "node:assert/strict";
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from "node:crypto";
import { test } from "node:test";
import { assertProblem, sameForAll } from "@sightline/test-kit/requests/problem-shape.ts";
import {
  type SampleService,
  sampleRange,
  startSample,
} from "@sightline/test-kit/sample-account.ts";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";
import { signingKeyRecords } from "./signing-keys.ts";

const path = "/v1/analytics/brands/mentions";
const body = { interval: "daily", filters: { timeRange: sampleRange } };

/** Signs any header and claims with any key: jose would refuse to make most of these. */
function signed(header: object | string, claims: object | string, key: KeyObject): string {
  const signing = `${encoded(header)}.${encoded(claims)}`;
  // The digest that the header names: RS384 with our own key is a signature that would hold.
  const digest = /"(?:RS|ES)(384|512)"/.exec(JSON.stringify(header))?.[1] ?? "256";
  const signature = sign(`sha${digest}`, Buffer.from(signing), key);
  return `${signing}.${signature.toString("base64url")}`;
}

function encoded(part: object | string): string {
  const text = typeof part === "string" ? part : JSON.stringify(part);
  return Buffer.from(text).toString("base64url");
}

async function material({ service, token }: SampleService) {
  const [record] = await signingKeyRecords(service.services.control);
  assert.ok(record !== undefined);
  const own = createPrivateKey({ key: JSON.parse(record.privateKey), format: "jwk" });
  const [head = "", payload = "", signature = ""] = token.split(".");
  const header = JSON.parse(Buffer.from(head, "base64url").toString()) as object;
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as object;
  return { own, publicJwk: record.publicKey, header, claims, head, payload, signature };
}

test("the service's own key signs good tokens in this test", async () => {
  const sample = await sharedSample();
  const { own, header, claims, head, payload } = await material(sample);
  const token = signed(header, claims, own);
  assert.deepEqual(token.split(".").slice(0, 2), [head, payload]);
  assert.equal((await sample.service.post(path, { token, body })).status, 200);
});

test("a token may be issued 5 s from now, and live for an hour and 5 s", async () => {
  const sample = await sharedSample();
  const { own, header, claims } = await material(sample);
  const now = sample.service.clock.now() / 1000;
  for (const changes of [{ iat: now + 5 }, { iat: now - 3_605 }, { exp: now + 3_605 }]) {
    const token = signed(header, { ...claims, exp: now, ...changes }, own);
    assert.equal((await sample.service.post(path, { token, body })).status, 200);
  }
});

test("no forged token is taken: the algorithm, the key, the header", async () => {
  const sample = await sharedSample();
  const { own, publicJwk, header, claims, head, payload, signature } = await material(sample);
  const other = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const curve = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const otherJwk = other.publicKey.export({ format: "jwk" });
  const pem = createPublicPem(own);
  const hmac = (secret: string, part = encoded({ ...header, alg: "HS256" })) => {
    const signing = `${part}.${payload}`;
    return `${signing}.${createHmac("sha256", secret).update(signing).digest("base64url")}`;
  };
  await allRefused(sample, {
    "alg none": `${encoded({ ...header, alg: "none" })}.${payload}.`,
    "alg none and a signature": `${encoded({ ...header, alg: "none" })}.${payload}.${signature}`,
    "alg None": `${encoded({ ...header, alg: "None" })}.${payload}.`,
    "no alg": signed({ ...header, alg: undefined }, claims, own),
    "alg empty": signed({ ...header, alg: "" }, claims, own),
    "alg in lower case": signed({ ...header, alg: "rs256" }, claims, own),
    "alg as a list": signed({ ...header, alg: ["RS256"] }, claims, own),
    "HS256 with the public key as PEM": hmac(pem),
    "HS256 with the public key as JWK": hmac(publicJwk),
    "HS256 with nothing": hmac("\0"),
    "HS256 under the name of RS256": hmac(pem, head),
    "RS384 with our own key": signed({ ...header, alg: "RS384" }, claims, own),
    "RS512 with our own key": signed({ ...header, alg: "RS512" }, claims, own),
    "another key under our kid": signed(header, claims, other.privateKey),
    "another key under its own kid": signed({ ...header, kid: "other" }, claims, other.privateKey),
    "a key on a curve under our kid": signed({ ...header, alg: "ES256" }, claims, curve.privateKey),
    "another key inside the header": signed({ ...header, jwk: otherJwk }, claims, other.privateKey),
    "another key at an address in the header": signed(
      { ...header, jku: "http://127.0.0.1/jwks.json" },
      claims,
      other.privateKey,
    ),
    "a certificate in the header": signed(
      { ...header, x5c: [encoded("certificate")], x5u: "http://127.0.0.1/" },
      claims,
      other.privateKey,
    ),
    "no kid": signed({ ...header, kid: undefined }, claims, own),
    "an unknown kid": signed({ ...header, kid: "unknown" }, claims, own),
    "an empty kid": signed({ ...header, kid: "" }, claims, own),
    "a kid that is not a text": signed({ ...header, kid: [] }, claims, own),
    "a prototype as kid": signed({ ...header, kid: "__proto__" }, claims, own),
    "a path as kid": signed({ ...header, kid: "../../../dev/null" }, claims, own),
    "a critical header": signed({ ...header, crit: ["x"], x: 1 }, claims, own),
    "a payload that is not encoded": signed({ ...header, crit: ["b64"], b64: false }, claims, own),
  });
});

test("no forged token is taken: the claims", async (t) => {
  const sample = await startSample(t);
  const { service } = sample;
  const { own, header, claims } = await material(sample);
  const now = service.clock.now() / 1000;
  const elsewhere = await service.apply({ account: { name: "Other" }, brand: { name: "Other" } });
  const others = await service.services.keyRing.create(elsewhere, { name: "a", expiresAt: null });
  const claiming = (changes: object) => signed(header, { ...claims, ...changes }, own);
  await allRefused(sample, {
    expired: claiming({ exp: now - 5 }),
    "expired long ago": claiming({ exp: 0 }),
    "no exp": claiming({ exp: undefined }),
    "exp as a text": claiming({ exp: String(now + 600) }),
    "exp as null": claiming({ exp: null }),
    "exp as true": claiming({ exp: true }),
    "exp as a list": claiming({ exp: [now + 600] }),
    "not good yet": claiming({ nbf: now + 60 }),
    "issued after now": claiming({ iat: now + 6 }),
    "issued tomorrow": claiming({ iat: now + 86_400, exp: now + 87_000 }),
    "longer than any session": claiming({ exp: now + 3_606 }),
    "longer than any session, nearly over": claiming({ iat: now - 3_600, exp: now + 6 }),
    "without an end": claiming({ exp: 1e308 }),
    "from the beginning of time": claiming({ iat: -1e308 }),
    "no iat": claiming({ iat: undefined }),
    "iat as a text": claiming({ iat: "now" }),
    "no jti": claiming({ jti: undefined }),
    "another issuer": claiming({ iss: "other" }),
    "the issuer in capitals": claiming({ iss: "SIGHTLINE" }),
    "the issuer in a list": claiming({ iss: ["sightline"] }),
    "no issuer": claiming({ iss: undefined }),
    "no account": claiming({ sub: undefined }),
    "another account": claiming({ sub: elsewhere }),
    "an account that is none": claiming({ sub: "../../accounts" }),
    "another account's key": claiming({ keyId: others.keyId }),
    "an unknown key": claiming({ keyId: "0".repeat(16) }),
    "no key": claiming({ keyId: undefined }),
    "a key that is not a text": claiming({ keyId: {} }),
    "claims that are not JSON": signed(header, "claims", own),
    "claims that are a list": signed(header, "[]", own),
    "claims that are nothing": signed(header, "", own),
    "claims that are null": signed(header, "null", own),
    "a megabyte's worth, as far as a field goes": claiming({ note: "a".repeat(6_000) }),
  });
});

test("no forged token is taken: the text", async () => {
  const sample = await sharedSample();
  const { token, service, accountId } = sample;
  const { own, claims, head, payload, signature } = await material(sample);
  const second = (await service.session(accountId)).split(".")[2];
  const changed = encoded({ ...claims, exp: 9_999_999_999 });
  await allRefused(sample, {
    "a changed payload": `${head}.${changed}.${signature}`,
    "a changed header": `${encoded({ alg: "RS256" })}.${payload}.${signature}`,
    "another token's signature": `${head}.${payload}.${second}`,
    "no signature": `${head}.${payload}.`,
    "two parts": `${head}.${payload}`,
    "four parts": `${token}.${signature}`,
    "five parts, as if encrypted": `${token}.${head}.${payload}`,
    "the parts turned round": [signature, payload, head].join("."),
    "one character less": token.slice(0, -1),
    "half a token": token.slice(0, token.length / 2),
    "a dot before": `.${token}`,
    capitals: token.toUpperCase(),
    padding: `${head}=.${payload}.${signature}`,
    "a header that is not JSON": `${encoded("header")}.${payload}.${signature}`,
    "a header that is a list": signed([], claims, own),
    "a header that is null": signed("null", claims, own),
    "nothing but dots": "a.b.c",
  });
  // Each character of the signature counts, save four bits of the last that stand for nothing.
  for (let place = 0; place < signature.length - 1; place += 31) {
    const character = signature[place] === "A" ? "B" : "A";
    const forged = signature.slice(0, place) + character + signature.slice(place + 1);
    const reply = await service.post(path, { token: `${head}.${payload}.${forged}`, body });
    assertProblem(reply, "session_invalid");
  }
});

async function allRefused(
  { service, token }: SampleService,
  forged: Readonly<Record<string, string>>,
): Promise<void> {
  const plain = await service.post(path, { token: "no-token-at-all", body });
  const expected = sameForAll(assertProblem(plain, "session_invalid"));
  for (const [what, each] of Object.entries(forged)) {
    const reply = await service.post(path, { token: each, body });
    assert.equal(reply.status, 401, what);
    assert.deepEqual(sameForAll(assertProblem(reply, "session_invalid")), expected, what);
    assert.equal(reply.headers["www-authenticate"], 'Bearer error="invalid_token"');
  }
  assert.equal((await service.post(path, { token, body })).status, 200);
}

function createPublicPem(key: KeyObject): string {
  const { n = "", e = "" } = key.export({ format: "jwk" });
  const publicKey = createPublicKey({ key: { kty: "RSA", n, e }, format: "jwk" });
  return publicKey.export({ type: "spki", format: "pem" }).toString();
}
