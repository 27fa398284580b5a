import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalUrl } from "./canonical-url.ts";
import { redirectWrappers } from "./redirect-wrappers.ts";
import { trackingParameters, trackingPrefixes } from "./tracking-parameters.ts";

const target = "https://acme.com/p?a=1&b=2";
const quoted = encodeURIComponent(target);

const cases: Readonly<Record<string, readonly [raw: string, canonical: string | null]>> = {
  "the scheme is https": ["http://acme.com/a", "https://acme.com/a"],
  "the scheme in any case": ["HTTPS://acme.com/a", "https://acme.com/a"],
  "the host in lower case": ["https://Acme.COM/A", "https://acme.com/A"],
  "without www": ["https://www.acme.com/a", "https://acme.com/a"],
  "www.com is a name": ["https://www.com/a", "https://www.com/a"],
  "IDN as punycode": ["https://bücher.example/ü", "https://xn--bcher-kva.example/%C3%BC"],
  "without the host's trailing dot": ["https://acme.com./a", "https://acme.com/a"],
  "without user": ["https://me:secret@acme.com/", "https://acme.com/"],
  "without default ports": ["http://acme.com:80/a", "https://acme.com/a"],
  "of either scheme": ["http://acme.com:443/a", "https://acme.com/a"],
  "other ports stay": ["http://acme.com:8080/a", "https://acme.com:8080/a"],
  "without fragment": ["https://acme.com/a#top", "https://acme.com/a"],
  "without text fragment": ["https://acme.com/a#:~:text=Acme", "https://acme.com/a"],
  "without tracking parameters": [
    "https://acme.com/a?UTM_Source=x&id=1&gclid=2",
    "https://acme.com/a?id=1",
  ],
  "even when escaped": ["https://acme.com/a?%75tm_source=x", "https://acme.com/a"],
  "other parameters stay": ["https://acme.com/a?ref=x&si=1", "https://acme.com/a?ref=x&si=1"],
  "the query sorted by name, then value": [
    "https://a.com/?b=1&a=2&a10=0&a=1",
    "https://a.com/?a=1&a=2&a10=0&b=1",
  ],
  "duplicates stay": ["https://a.com/?a=1&a=1", "https://a.com/?a=1&a=1"],
  "empty parameters go": ["https://a.com/x?&a=1&&", "https://a.com/x?a=1"],
  "an empty query goes": ["https://a.com/x?", "https://a.com/x"],
  "no trailing slash": ["https://a.com/x/?a=1", "https://a.com/x?a=1"],
  "however many": ["https://a.com/x///", "https://a.com/x"],
  "save the root": ["https://a.com", "https://a.com/"],
  "the root of slashes": ["https://a.com//", "https://a.com/"],
  "inner slashes stay": ["https://a.com/x//y", "https://a.com/x//y"],
  "dot segments are resolved": ["https://a.com/x/../y/%2e/z", "https://a.com/y/z"],
  "the path's case stays": ["https://a.com/Xy", "https://a.com/Xy"],
  "escapes in upper case": ["https://a.com/%c3%a9", "https://a.com/%C3%A9"],
  "unreserved escapes are resolved": ["https://a.com/%7Ea%2Db", "https://a.com/~a-b"],
  "reserved escapes stay": ["https://a.com/x%2Fy?q=a%26b", "https://a.com/x%2Fy?q=a%26b"],
  "+ and %20 stay": ["https://a.com/?q=a+b%20c", "https://a.com/?q=a+b%20c"],
  "what must be escaped is": [
    "https://a.com/a b[1]|?x[]=1",
    "https://a.com/a%20b%5B1%5D%7C?x%5B%5D=1",
  ],
  "a stray percent sign is": ["https://a.com/100%/%%34%31", "https://a.com/100%25/%2541"],
  IPv4: ["http://192.168.0.1/a", "https://192.168.0.1/a"],
  IPv6: ["http://[::1]:80/a", "https://[::1]/a"],
  "a single label": ["http://localhost:3000/", "https://localhost:3000/"],
  "surrounding space goes": [" https://a.com/x\n", "https://a.com/x"],
  "another scheme is none": ["ftp://acme.com/", null],
  "a relative URL is none": ["/a", null],
  "a host alone is none": ["acme.com", null],
  "no host is none": ["https://", null],
  "an empty label is none": ["https://acme..com/", null],
  "only dots are none": ["https://.../", null],
  "8,193 characters are too many": [`https://a.com/${"x".repeat(8_179)}`, null],
  "Google's redirect": [`https://www.google.com/url?sa=t&q=${quoted}&ved=1`, target],
  "with its other parameter": [`https://google.co.uk/url?url=${quoted}`, target],
  "Bing's redirect": [
    `https://www.bing.com/ck/a?!&&p=1&u=a1${Buffer.from(target).toString("base64url")}&ntb=1`,
    target,
  ],
  "Bing's, with its padding escaped": [
    "https://www.bing.com/ck/a?u=a1aHR0cHM6Ly9hY21lLmNvbQ%3D%3D",
    "https://acme.com/",
  ],
  "a redirect's target is made canonical": [
    "https://google.com/url?q=http://www.acme.com/x/?utm_source=y",
    "https://acme.com/x",
  ],
  "a redirect in a redirect": [
    `https://l.facebook.com/l.php?u=${encodeURIComponent(`https://google.com/url?q=${quoted}`)}`,
    target,
  ],
  "a redirect to nowhere stays": [
    "https://google.com/url?q=/search",
    "https://google.com/url?q=/search",
  ],
  "another page of the host stays": [
    `https://google.com/search?q=${quoted}`,
    `https://google.com/search?q=${quoted}`,
  ],
  "Gemini's redirect stays": [
    "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AbC=",
    "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AbC=",
  ],
};

test("canonical form", async (t) => {
  for (const [rule, [raw, canonical]] of Object.entries(cases)) {
    await t.test(rule, () => assert.equal(canonicalUrl(raw), canonical));
  }
});

test("each tracking parameter is dropped, in any case", () => {
  const names = [...trackingParameters, ...trackingPrefixes.map((prefix) => `${prefix}x`)];
  for (const name of names) {
    const raw = `https://acme.com/a?${name}=1&id=2&${name.toUpperCase()}`;
    assert.equal(canonicalUrl(raw), "https://acme.com/a?id=2");
  }
});

test("each redirect wrapper is opened", () => {
  for (const { host, path, parameters } of redirectWrappers) {
    for (const parameter of parameters) {
      const at = `${host.startsWith(".") ? `eur01${host}` : host}${path === "*" ? "/t3_x" : path}`;
      assert.equal(canonicalUrl(`https://${at}?${parameter}=${quoted}&x=1`), target);
    }
  }
});

test("wrappers are opened five deep; deeper ones stay as they are", () => {
  const wrapped = (depth: number) =>
    `${"https://google.com/url?q=".repeat(depth)}https://acme.com/`;
  assert.equal(canonicalUrl(wrapped(5)), "https://acme.com/");
  assert.equal(canonicalUrl(wrapped(6)), wrapped(6));
});

test("the length limit holds for the raw and the canonical form", () => {
  const longest = `https://a.com/${"x".repeat(8_178)}`;
  assert.equal(canonicalUrl(longest), longest);
  assert.equal(canonicalUrl(`https://a.com/${"é".repeat(4_000)}`), null);
});
