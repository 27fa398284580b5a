import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeEntities } from "./text-edits.ts";

const cases: Readonly<Record<string, readonly [text: string, decoded: string]>> = {
  "names of HTML 4": ["&Eacute;terne &amp; Citro&euml;n&trade;", "Éterne & Citroën™"],
  "names of HTML 5": [
    "R&uring;&zcaron;ov&aacute; &Dcaron;uri&scaron; K&odblac;",
    "Růžová Ďuriš Kő",
  ],
  "the longest name": ["&CounterClockwiseContourIntegral;", "∳"],
  numbers: ["&#201;&#xC9;&#XC9;&#128;", "ÉÉÉ€"],
  "numbers that stand for no character": ["&#0;&#xD800;&#x110000;", "\ufffd\ufffd\ufffd"],
  "only once": ["&amp;amp;", "&amp;"],
  "what is none": [
    "AT&T; &notit; R&D; &amp &copy &; &#; &#x;",
    "AT&T; &notit; R&D; &amp &copy &; &#; &#x;",
  ],
};

for (const [title, [text, decoded]] of Object.entries(cases)) {
  test(title, () => assert.equal(decodeEntities(text), decoded));
}
