import assert from "node:assert/strict";
import { test } from "node:test";
import { sourceClasses, sourceForms } from "@sightline/contract";
import fc from "fast-check";
import { canonicalUrl, domainOf } from "../../extraction/index.ts";
import { domainsByClass } from "./source-class-table.ts";
import { compileClassifier, formOf } from "./source-kinds.ts";

const tabled = compileClassifier([]);

test("classes of domains: by the tables, by public suffixes, else other", () => {
  const classes: Readonly<Record<string, string>> = {
    "wikipedia.org": "reference",
    "reddit.com": "forum",
    "youtube.com": "video",
    "g2.com": "review",
    "prnewswire.com": "press-release",
    "nasa.gov": "government",
    "service.gov.uk": "government",
    "economie.gouv.fr": "government",
    "mext.go.jp": "government",
    "navy.mil": "government",
    "mit.edu": "education",
    "ox.ac.uk": "education",
    "unimelb.edu.au": "education",
    "acme.github.io": "code",
    "acme.example": "other",
    "gov.example": "other",
    "mygov.com": "other",
  };
  for (const [domain, wanted] of Object.entries(classes)) {
    assert.equal(tabled.ofDomain(domain), wanted, domain);
    assert.equal(tabled.ofPage(`https://www.${domain}/a`, domain), wanted, domain);
  }
});

test("every line of the tables is a registrable domain with a reason, once", () => {
  const lines = Object.values(domainsByClass).flatMap((domains) => Object.entries(domains));
  for (const [domain, reason] of lines) {
    assert.equal(domainOf(`https://${domain}/`), domain);
    assert.match(reason, /^[a-zA-Z].{3,}[^.]$/, domain);
  }
  assert.equal(new Set(lines.map(([domain]) => domain)).size, lines.length);
});

test("the rules of a workspace file win, the longest first, for pages below a path too", () => {
  const own = compileClassifier([
    { domain: "reddit.com", class: "social" },
    { domain: "acme.example/forum", class: "forum" },
    { domain: "acme.example/forum/press", class: "press-release" },
    { domain: "shop.globex.example", class: "shop" },
  ]);
  assert.equal(own.ofDomain("reddit.com"), "social");
  const pages: Readonly<Record<string, string>> = {
    "https://acme.example/forum/a": "forum",
    "https://acme.example/forum/press/a": "press-release",
    "https://acme.example/forums": "other",
    "https://shop.globex.example/": "shop",
    "https://globex.example/": "other",
  };
  for (const [url, wanted] of Object.entries(pages)) {
    assert.equal(own.ofPage(url, domainOf(url)), wanted, url);
  }
  assert.deepEqual(["acme.example", "globex.example", "wikipedia.org"].map(own.splits), [
    true,
    true,
    false,
  ]);
  assert.equal(own.ofDomain("acme.example"), "other");
});

test("forms of pages: by the address, and by the title where it does not say", () => {
  const forms: Readonly<Record<string, string>> = {
    "https://youtube.com/watch?v=a": "video",
    "https://www.reddit.com/r/tents/comments/1/best_tent": "discussion",
    "https://community.acme.example/t/1": "discussion",
    "https://docs.acme.example/start": "documentation",
    "https://acme.example/docs/api": "documentation",
    "https://blog.example/acme-vs-globex": "comparison",
    "https://blog.example/globex-alternatives": "comparison",
    "https://blog.example/Best-Tents-2026": "list",
    "https://blog.example/10-best-tents": "list",
    "https://blog.example/die-besten-zelte": "list",
    "https://blog.example/acme-one-review": "review",
    "https://blog.example/how-to-pitch-a-tent": "how-to",
    "https://shop.example/product/123": "product",
    "https://shop.example/dp/B000": "product",
    "https://blog.example/": "other",
    "https://blog.example/latest-contest": "other",
  };
  for (const [url, form] of Object.entries(forms)) assert.equal(formOf(url, null), form, url);
  const titled = (title: string) => formOf("https://blog.example/p-1", title);
  assert.equal(titled("The 12 best tents of 2026"), "list");
  assert.equal(titled("Acme vs. Globex"), "comparison");
  assert.equal(titled("How to pitch a tent"), "how-to");
  assert.equal(titled("Acme One review: light"), "review");
  assert.equal(titled("A walk"), "other");
});

test("every page has a class and a form of the lists, whatever its address", () => {
  const classes: readonly string[] = sourceClasses;
  const forms: readonly string[] = sourceForms;
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true }), fc.string(), (raw, title) => {
      const url = canonicalUrl(raw);
      fc.pre(url !== null);
      assert.ok(classes.includes(tabled.ofPage(url, domainOf(url))));
      assert.ok(forms.includes(formOf(url, title)));
    }),
  );
});
