import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { redirectWrappers } from "./redirect-wrappers.ts";
import { trackingParameters, trackingPrefixes } from "./tracking-parameters.ts";

const guide = readFileSync(
  new URL("../../../../docs/guide/mentions-and-citations.md", import.meta.url),
  "utf8",
);

/** The codes in the table rows of the section under a heading. */
function codesBelow(heading: string): string[] {
  const section = guide.split(/^#+ /m).find((each) => each.startsWith(heading)) ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("|"));
  return rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, code]) => code ?? ""));
}

test("the guide lists the tracking parameters, and no others", () => {
  const listed = codesBelow("Tracking parameters");
  assert.deepEqual(listed.toSorted(), [...trackingPrefixes, ...trackingParameters].toSorted());
});

test("the guide lists the redirect wrappers with their parameters, and no others", () => {
  const pages = redirectWrappers.map(({ host, path }) => {
    return `${host.startsWith(".") ? `*${host}` : host}${path === "*" ? "/*" : path}`;
  });
  const parameters = redirectWrappers.flatMap((wrapper) => wrapper.parameters);
  const listed = new Set(codesBelow("Redirect wrappers"));
  assert.deepEqual([...listed].toSorted(), [...new Set([...pages, ...parameters])].toSorted());
});
