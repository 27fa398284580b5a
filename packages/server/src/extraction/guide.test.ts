import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { trackingParameters, trackingPrefixes, videoMarks } from "./canonical-url.ts";
import { redirectWrappers } from "./redirect-wrappers.ts";

const guide = readFileSync(
  new URL("../../../../docs/guide/mentions-and-citations.md", import.meta.url),
  "utf8",
);

function sectionBelow(heading: string): string {
  return guide.split(/^#+ /m).find((each) => each.startsWith(`${heading}\n`)) ?? "";
}

/** The codes in the rows of the first table under a heading. */
function codesBelow(heading: string): string[] {
  const table = /^\|(?:.+\n)+/m.exec(sectionBelow(heading))?.[0] ?? "";
  return Array.from(table.matchAll(/`([^`]+)`/g), ([, code]) => code ?? "");
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
  const listed = new Set(codesBelow("Addresses that hold another"));
  assert.deepEqual([...listed].toSorted(), [...new Set([...pages, ...parameters])].toSorted());
});

test("the guide lists the parameters that are dropped from a video, and no others", () => {
  const [, list = ""] = /these parameters are dropped:([^.]*)\./.exec(sectionBelow("Videos")) ?? [];
  assert.deepEqual(
    Array.from(list.matchAll(/`(\w+)`/g), ([, name]) => name),
    [...videoMarks],
  );
});
