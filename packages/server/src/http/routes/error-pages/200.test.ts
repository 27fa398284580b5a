import assert from "node:assert/strict";
import { test } from "node:test";
import { errorCodes, problemType } from "@sightline/contract";
import { TestService } from "../../../../test/test-service.ts";

test("every code's page is where a problem's type leads", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  for (const code of Object.keys(errorCodes) as (keyof typeof errorCodes)[]) {
    const reply = await service.request("GET", problemType(code));
    assert.equal(reply.status, 200, code);
    assert.equal(reply.headers["content-type"], "text/markdown; charset=utf-8");
    assert.match(reply.body, /^# /);
  }
});
