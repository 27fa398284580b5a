import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { html } from "./markup.ts";

test("texts are escaped between tags and in attributes, whatever is in them", () => {
  const hostile = `"><script>alert('x')</script>&amp;`;
  assert.equal(
    html`<a title="${hostile}">${hostile}</a>`.text,
    '<a title="&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;">' +
      "&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;</a>",
  );
});

test("markup stays as it is, also in lists; nothing stands for null and false", () => {
  const items = ["a<b", "c"].map((each) => html`<li>${each}</li>`);
  assert.equal(
    html`<ul>${items}</ul>${null}${false}${0}`.text,
    "<ul><li>a&lt;b</li><li>c</li></ul>0",
  );
});

test("nothing that a browser would read as more than text comes through", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const shown = html`<p title="${text}">${text}</p>`.text;
      const inside = shown.slice('<p title="'.length, -"</p>".length);
      assert.equal(inside.match(/[<"']/g)?.join("") ?? "", '"', "only the attribute ends");
      assert.equal(inside.match(/>/g)?.length, 1);
      assert.doesNotMatch(inside, /[\u202a-\u202e\u2066-\u2069]|[^\P{Cc}\t\n\r]/u);
      assert.ok(inside.isWellFormed());
    }),
  );
});
