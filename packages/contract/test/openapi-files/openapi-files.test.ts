import assert from "node:assert/strict";
import { test } from "node:test";
import { openApiDocument } from "@sightline/contract";
import { breakText } from "../breaking-changes/break.ts";
import { documentBreaks } from "../breaking-changes/document-breaks.ts";
import { readDocument, releasedPath } from "./openapi-files.ts";

test("nobody who keeps to the released document of v1 is broken by that of today", () => {
  const breaks = documentBreaks(readDocument(releasedPath), openApiDocument());
  assert.equal(breaks.map((each) => `\n${breakText(each)}`).join(""), "");
});
