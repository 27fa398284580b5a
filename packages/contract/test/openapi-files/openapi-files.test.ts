import assert from "node:assert/strict";
import { test } from "node:test";
import { openApiDocument } from "@sightline/contract";
import { breakingChanges, breakText } from "../breaking-changes/breaking-changes.ts";
import { readDocument, releasedPath } from "./openapi-files.ts";

test("nobody who keeps to the released document of v1 is broken by that of today", () => {
  const breaks = breakingChanges(readDocument(releasedPath), openApiDocument());
  assert.equal(breaks.map((each) => `\n${breakText(each)}`).join(""), "");
});
