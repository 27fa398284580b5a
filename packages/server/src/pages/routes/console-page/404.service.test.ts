import { test } from "node:test";
import { fromConsole } from "@sightline/test-kit/console-page.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";

test("with the console off, none of its addresses exists", async (t) => {
  const service = await TestService.start({ settings: { console: "off" } });
  t.after(() => service.close());
  const account = "/console/accounts/cccccccc-0000-4000-8000-000000000001";
  const paths = ["/", "/console", "/console/assets/a.js", `${account}/session`];
  for (const path of [...paths, `${account}/v1/workspace`]) {
    const reply = await service.request("GET", path, { headers: fromConsole });
    assertProblem(reply, "not_found");
  }
  const signIn = { body: { key: "a" }, headers: fromConsole };
  assertProblem(await service.post("/console/sessions", signIn), "not_found");
});
