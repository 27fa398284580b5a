import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readConfig } from "@sightline/server/config";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { runServer } from "../src/run-server.ts";

test("a server whose first work fails is stopped: its process would not end", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const given = { dataDir: join(folder, "data"), port: "0", logLevel: "silent" };
  let url = "";
  const run = runServer(readConfig(given, {}), async (server) => {
    url = server.url;
    // Whatever becomes of the test, nothing of it stays.
    t.after(() => server.stop());
    throw new Error("The demo's account was deleted.");
  });
  await assert.rejects(run, /^Error: The demo's account was deleted\.$/);
  await assert.rejects(fetch(`${url}/healthz`), /fetch failed/);
});
