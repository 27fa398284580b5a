import assert from "node:assert/strict";
import { test } from "node:test";
import { compileExtractor } from "./compile-extractor.ts";
import { domainOf, normalizeDomainRule } from "./domains.ts";

test("the domain of a URL", () => {
  const domains: Readonly<Record<string, string>> = {
    "https://acme.com/": "acme.com",
    "https://shop.acme.co.uk/a?b": "acme.co.uk",
    "https://user.github.io/x": "user.github.io",
    "https://deep.user.github.io/x": "user.github.io",
    "https://github.io/": "github.io",
    "https://co.uk/": "co.uk",
    "https://192.168.0.1:8080/a:b": "192.168.0.1",
    "https://[2001:db8::1]:8080/a": "[2001:db8::1]",
    "https://localhost:3000/": "localhost",
    "https://shop.xn--bcher-kva.example/": "xn--bcher-kva.example",
  };
  for (const [url, domain] of Object.entries(domains)) assert.equal(domainOf(url), domain);
});

test("a domain rule in its normal form", () => {
  const rules: Readonly<Record<string, string | null>> = {
    "https://www.LinkedIn.com/company/acme/": "linkedin.com/company/acme",
    "Acme.com": "acme.com",
    " acme.com. ": "acme.com",
    "acme.com:8080/Shop?x=1#y": "acme.com/Shop",
    "*.acme.com": "acme.com",
    ".acme.com": "acme.com",
    "bücher.example": "xn--bcher-kva.example",
    "github.io": "github.io",
    "10.0.0.1": "10.0.0.1",
    "http://[::1]/": "[::1]",
    "https://google.com/url?q=https://acme.com": "google.com/url",
    acme: null,
    "": null,
    "info@acme.com": null,
    "ftp://acme.com": null,
    "mailto:info@acme.com": null,
    "acme .com": null,
    "acme*.com": null,
    "https://": null,
  };
  for (const [raw, rule] of Object.entries(rules)) {
    assert.equal(normalizeDomainRule(raw), rule, raw);
    if (rule !== null) assert.equal(normalizeDomainRule(rule), rule);
  }
});

function owners(url: string, ...domains: readonly string[][]): readonly number[] {
  const extract = compileExtractor(domains.map((each) => ({ names: [], domains: each })));
  return extract({ text: "", citations: [{ url, cited: true }] }).citedEntities;
}

test("a URL belongs to the owner of its host and of what its host ends in", () => {
  assert.deepEqual(owners("https://acme.com/x", ["acme.com"]), [0]);
  assert.deepEqual(owners("https://www.shop.acme.com/x", ["acme.com"]), [0]);
  assert.deepEqual(owners("https://acme.com:8080/x", ["www.acme.com"]), [0]);
  assert.deepEqual(owners("https://myacme.com/x", ["acme.com"]), []);
  assert.deepEqual(owners("https://acme.com.evil.org/x", ["acme.com"]), []);
  assert.deepEqual(owners("https://acme.com/", ["shop.acme.com"]), []);
  assert.deepEqual(owners("https://google.com/url?q=https://acme.com", ["google.com"]), []);
});

test("a path prefix is matched on whole segments, in its case", () => {
  const rule = ["linkedin.com/company/acme/"];
  assert.deepEqual(owners("https://www.linkedin.com/company/acme", rule), [0]);
  assert.deepEqual(owners("https://uk.linkedin.com/company/acme/about?x=1", rule), [0]);
  assert.deepEqual(owners("https://linkedin.com/company/acme2", rule), []);
  assert.deepEqual(owners("https://linkedin.com/company", rule), []);
  assert.deepEqual(owners("https://linkedin.com/company/Acme", rule), []);
  assert.deepEqual(owners("https://linkedin.com/", rule), []);
  assert.deepEqual(
    owners("https://linkedin.com/company/acme", ["linkedin.com/company"], rule),
    [0, 1],
  );
});

test("entities that share a domain are all cited, ascending, each once", () => {
  const shared = [["x.com", "acme.com"], ["acme.com"], ["other.com"], ["shop.acme.com"]];
  assert.deepEqual(owners("https://shop.acme.com/", ...shared), [0, 1, 3]);
});

test("a text that is not a domain owns nothing", () => {
  assert.deepEqual(owners("https://acme/", ["acme", "", "com"]), []);
});

test("citations are the distinct canonical URLs that are cited, in order", () => {
  const extract = compileExtractor([{ names: [], domains: ["acme.com", "globex.com"] }]);
  const citations = [
    { url: "https://b.com/1", cited: false },
    { url: "https://www.acme.com/x/?utm_source=openai", cited: true },
    { url: "nonsense", cited: true },
    { url: "https://b.com/1#x", cited: true },
    { url: "http://acme.com/x", cited: true },
    { url: "https://globex.com/", cited: false },
  ];
  assert.deepEqual(extract({ text: "", citations }), {
    mentions: [],
    language: null,
    flags: new Map(),
    citedEntities: [0],
    citations: [
      { url: "https://acme.com/x", domain: "acme.com" },
      { url: "https://b.com/1", domain: "b.com" },
    ],
  });
});
