import assert from "node:assert/strict";
import { test } from "node:test";
import { uncountedCitations } from "./uncounted-citations.ts";

const cited = (url: string) => ({ url, title: null, cited: true });

test("citations whose URL is not an absolute http or https URL are uncounted", () => {
  const counted = ["https://acme.com/a", "http://acme.com", "HTTPS://ACME.com"];
  const uncounted = ["acme.com", "/a", "ftp://acme.com/", "mailto:a@acme.com", "", "https://"];
  assert.equal(uncountedCitations([...counted, ...uncounted].map(cited)), uncounted.length);
});

test("a page that was retrieved and not cited is never counted, and no reason to warn", () => {
  assert.equal(uncountedCitations([{ url: "acme.com", title: null, cited: false }]), 0);
});
