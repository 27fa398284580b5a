import assert from "node:assert/strict";
import { test } from "node:test";
import { fromConsole } from "@sightline/test-kit/console-page.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";

test("nothing of an address gets into a reply's fields", async () => {
  const { service, accountId } = await sharedSample();
  const hostile = ["%0d%0aSet-Cookie:%20a=b", "a;b", "..%2f..", accountId.toUpperCase(), "a=b"];
  for (const each of hostile) {
    const cookie = `sightline-${decodeURIComponent(each).replace(/[\r\n]/g, "")}=a`;
    const headers = { ...fromConsole, cookie };
    const path = `/console/accounts/${each}/session`;
    const reply = await service.request("GET", path, { headers });
    assertProblem(reply, "session_required");
    assert.equal(reply.headers["www-authenticate"], "Cookie");
    const ended = await service.request("DELETE", path, { headers });
    assert.deepEqual([ended.status, ended.headers["set-cookie"]], [200, undefined]);
  }
});
