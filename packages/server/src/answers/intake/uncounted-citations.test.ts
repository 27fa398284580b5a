import assert from "node:assert/strict";
import { test } from "node:test";
import { uncountedCitations } from "./import-answers.ts";

const cited = (url: string) => ({ url, title: null, cited: true });

test("citations without an absolute http or https URL of a possible host are uncounted", () => {
  const counted = ["https://acme.com/a", "http://acme.com", "HTTPS://ACME.com"];
  const uncounted = ["acme.com", "/a", "ftp://acme.com/", "mailto:a@acme.com", "", "https://"];
  const impossible = ["https://acme.com,", "https://acme.com)/", "https://acme.com;https://b.com"];
  assert.equal(uncountedCitations([...counted, ...uncounted].map(cited)), uncounted.length);
  assert.equal(uncountedCitations(impossible.map(cited)), impossible.length);
});

test("a page that was retrieved and not cited is never counted, and no reason to warn", () => {
  assert.equal(uncountedCitations([{ url: "acme.com", title: null, cited: false }]), 0);
});
