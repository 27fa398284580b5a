import assert from "node:assert/strict";
import { test } from "node:test";
import {
  comparedBrands,
  nameOfDomain,
  suggestedAliases,
  typedCompetitors,
  typedDomain,
} from "./typed-brand.ts";

test("an address becomes its domain, and says what was left out", () => {
  assert.deepEqual(typedDomain("acme.example"), { domain: "acme.example", note: null });
  for (const typed of [
    " https://www.Acme.example/product?ref=1#top ",
    "www.acme.example/product/",
  ]) {
    assert.deepEqual(typedDomain(typed), {
      domain: "acme.example",
      note: "“/product” was left out: every page of acme.example counts as yours.",
    });
  }
  const plain = ["HTTPS://ACME.example", "acme.example.", "acme.example:8080", "me@acme.example"];
  for (const typed of plain) {
    assert.deepEqual(typedDomain(typed), { domain: "acme.example", note: null }, typed);
  }
  assert.equal(typedDomain("shop.acme.co.uk")?.domain, "shop.acme.co.uk");
  assert.equal(typedDomain("https://müller-söhne.example/")?.domain, "müller-söhne.example");
});

test("on a host of many the path stays", () => {
  assert.equal(
    typedDomain("https://www.linkedin.com/company/acme/")?.domain,
    "linkedin.com/company/acme",
  );
  assert.match(typedDomain("de.wikipedia.org")?.note ?? "", /Add the path of yours/);
});

test("what cannot be a domain is none", () => {
  const wrong = ["", "Acme", "acme", "a b.example", "acme.", ".example", "acme..example"];
  for (const typed of [...wrong, "-acme.example", "acme.1", "http://", "localhost", "10.0.0.1"]) {
    assert.equal(typedDomain(typed), null, typed);
  }
});

test("other names follow from the name and the domains", () => {
  assert.deepEqual(suggestedAliases("Acme GmbH", [], []), ["Acme"]);
  assert.deepEqual(suggestedAliases("Acme® Labs GmbH & Co. KG", ["acmelabs.example"], []), [
    "Acme Labs",
  ]);
  assert.deepEqual(suggestedAliases("Acme, Inc.", ["acme.example"], []), ["Acme"]);
  assert.deepEqual(suggestedAliases("Acme Holdings Ltd.", [], ["acme"]), []);
  assert.deepEqual(suggestedAliases("Amalgamated Crates Company", ["acc.example"], []), [
    "Amalgamated Crates",
    "ACC",
  ]);
  assert.deepEqual(suggestedAliases("Acme", ["acme.example", "github.com/acme"], []), []);
  assert.deepEqual(suggestedAliases("", [], []), []);
});

test("a domain spells a name", () => {
  assert.equal(nameOfDomain("shop.globex.co.uk"), "Globex");
  assert.equal(nameOfDomain("blue-tent.example"), "Blue Tent");
  assert.equal(nameOfDomain("acc.example"), "ACC");
});

test("competitors are names, domains, or both", () => {
  const text = "Globex, initech.example\n- Umbra Works (https://www.umbra.example/de)\nAcme;globex";
  assert.deepEqual(typedCompetitors(text, "Acme GmbH"), [
    { name: "Globex", domains: [] },
    { name: "Initech", domains: ["initech.example"] },
    { name: "Umbra Works", domains: ["umbra.example"] },
  ]);
  assert.deepEqual(typedCompetitors(" \n,", "Acme"), []);
});

test("prompts that compare brands name competitors", () => {
  const prompts = [
    "Acme vs Globex: which is better?",
    "What are alternatives to Globex?",
    "Is Initech vs. Acme a fair test?",
    "red tents vs blue tents",
  ];
  assert.deepEqual(comparedBrands(prompts, ["Acme GmbH"]), ["Globex", "Initech"]);
  assert.deepEqual(comparedBrands(prompts, ["Acme", "Globex", "initech"]), []);
});
