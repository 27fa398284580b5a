import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalUrl, trackingParameters, trackingPrefixes } from "./canonical-url.ts";
import { redirectWrappers } from "./redirect-wrappers.ts";

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
  "an escaped ampersand is one": [
    "https://acme.com/a?b=1&amp;a=2&amp;amp;utm_source=x&#038;c=3&#x26;d=4",
    "https://acme.com/a?a=2&b=1&c=3&d=4",
  ],
  "in the path too": ["https://acme.com/a&%61mp;b", "https://acme.com/a&b"],
  "however it is escaped": ["https://acme.com/a?b=1&%61mp;a=2", "https://acme.com/a?a=2&b=1"],
  "a parameter called amp stays": ["https://acme.com/?x=1&amp=1", "https://acme.com/?amp=1&x=1"],
  "characters without width go": [
    "\ufeffhttps://ac\u200bme.com/p\u00adage\u200b?\u2060a=\u200d1\ufe0f",
    "https://acme.com/page?a=1",
  ],
  "even when they are escaped": [
    "https://acme.com/p%C2%ADage%e2%80%8b/?utm%E2%80%8B_source=x",
    "https://acme.com/page",
  ],
  "before dots are resolved": ["https://acme.com/a/.%E2%80%8B./b", "https://acme.com/b"],
  "not out of other escapes": [
    "https://acme.com/%E2%80%E2%80%8B%8B",
    "https://acme.com/%E2%80%E2%80%8B%8B",
  ],
  "a joiner that is spelling stays": [
    "https://acme.com/می\u200cشود",
    "https://acme.com/%D9%85%DB%8C%E2%80%8C%D8%B4%D9%88%D8%AF",
  ],
  "no-break spaces around it go": ["\u00a0https://acme.com/a\u3000", "https://acme.com/a"],
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
  "a host that no page has is none": ["https://acme.com,/", null],
  "nor two addresses in one": ["https://acme.com;https://globex.com/best", null],
  "nor a host in a parenthesis": ["https://acme.com)", null],
  "labels may have an underscore": ["https://a_b.acme.com/", "https://a_b.acme.com/"],
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
  "Yahoo's redirect": [
    "https://r.search.yahoo.com/_ylt=A/RO=10/RU=https%3a%2f%2fwww.acme.com%2fp%3fb%3d2/RK=2",
    "https://acme.com/p?b=2",
  ],
  "a translation by Google": [
    "https://translate.google.com.br/translate?u=https://www.acme.com/p&hl=pt&sl=en&client=sge",
    "https://acme.com/p",
  ],
  "with the page escaped": [`https://translate.google.de/translate?hl=de&u=${quoted}`, target],
  "a translated host": [
    "https://www-acme--labs-com.translate.goog/p?_x_tr_sl=en&b=2&_x_tr_tl=de&a=1",
    "https://acme-labs.com/p?a=1&b=2",
  ],
  "with Google's prefix": [
    "https://1-cn--acme-com.translate.goog/p?_x_tr_enc=1&_x_tr_sl=zh-CN",
    "https://cn-acme.com/p",
  ],
  "with the prefix of an international name": [
    "https://0-bcher--kva-example.translate.goog/?_x_tr_enc=0%2C1",
    "https://xn--bcher-kva.example/",
  ],
  "with a part that did not fit": [
    "https://acme-com.translate.goog/?_x_tr_hp=www-",
    "https://acme.com/",
  ],
  "a copy of an AMP page at Google": [
    "https://www.google.co.uk/amp/s/www.acme.com/a/amp%3fx=1?usqp=mq331",
    "https://acme.com/a/amp%3Fx=1",
  ],
  "without https": ["https://google.de/amp/acme.com/a?b=1", "https://acme.com/a?b=1"],
  "a copy in the AMP cache": [
    "https://www-acme-com.cdn.ampproject.org/v/s/www.acme.com/a?amp_js_v=0.1&usqp=mq331&b=1",
    "https://acme.com/a?b=1",
  ],
  "in its other form": ["https://cdn.ampproject.org/c/acme.com", "https://acme.com/"],
  "a library of the AMP cache stays": [
    "https://cdn.ampproject.org/v0/amp-ad.js",
    "https://cdn.ampproject.org/v0/amp-ad.js",
  ],
  "a translation of a redirect to a video": [
    "https://translate.google.de/translate?u=http://bing.com/ck/a?u%3Dhttps://youtu.be/a-B_4567890",
    "https://youtube.com/watch?v=a-B_4567890",
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

const page = "https://youtube.com/watch?v=a-B_4567890";

/** Addresses of one video, and of what is none. */
const videos: Readonly<Record<string, string>> = {
  "https://www.youtube.com/watch?v=a-B_4567890&t=51s&si=x&pp=y&feature=youtu.be&ab_channel=z": page,
  "https://m.youtube.com/watch?v=a-B_4567890&amp;t=51": page,
  "https://youtu.be/a-B_4567890?si=x": page,
  "https://youtube.com/shorts/a-B_4567890?feature=share": page,
  "https://www.youtube.com/live/a-B_4567890": page,
  "https://www.youtube.com/embed/a-B_4567890?start=3&autoplay=1": page,
  "https://www.youtube-nocookie.com/embed/a-B_4567890": page,
  "https://youtu.be/a-B_4567890?list=PL1": "https://youtube.com/watch?list=PL1&v=a-B_4567890",
  "https://m.youtube.com/@acme?si=x": "https://youtube.com/@acme",
  "https://www.youtube.com/embed/videoseries?list=PL1":
    "https://youtube.com/embed/videoseries?list=PL1",
  "https://youtu.be/": "https://youtu.be/",
  "https://acme.com/watch?v=1&t=2&si=3&feature=4": "https://acme.com/watch?feature=4&si=3&t=2&v=1",
};

test("one video is one page", () => {
  for (const [raw, canonical] of Object.entries(videos)) assert.equal(canonicalUrl(raw), canonical);
});

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
