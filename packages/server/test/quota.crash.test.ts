import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import { startServing, stopped } from "@sightline/test-kit/command.ts";
import { sampleWorkspace } from "@sightline/test-kit/sample-account.ts";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";
import { usageOfKey } from "../src/keys/limits/usage-store.ts";
import { openStorage } from "../src/storage.ts";

const dayMs = 86_400_000;
const parameters = ["--rate-limit", "off", "--daily-quota", "50"];

test("the quota outlives kill -9: what is older than a second is not forgotten", async (t) => {
  const dataDir = temporaryFolder();
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const making = await TestService.start({ dataDir });
  const accountId = await making.apply(sampleWorkspace);
  const { key, keyId } = await making.services.keyRing.create(accountId, {
    name: "counted",
    expiresAt: null,
  });
  await making.close();
  const exchange = async (url: string) => {
    const headers = { authorization: `Bearer ${key}` };
    const reply = await fetch(`${url}/v1/auth/accesskey/exchange`, { method: "POST", headers });
    await reply.arrayBuffer();
    return reply.headers.get("ratelimit") ?? "";
  };

  const first = await startServing(dataDir, { parameters });
  for (let call = 0; call < 5; call++) await exchange(first.url);
  const storage = await openStorage(dataDir);
  const saved = async () => {
    const calls = await usageOfKey(storage.control, keyId, Math.floor(Date.now() / dayMs));
    return calls === 5 ? true : null;
  };
  await until("the calls are saved", saved, 1_000);
  await storage.close();
  first.process.kill("SIGKILL");
  await first.finished;

  const second = await startServing(dataDir, { parameters });
  t.after(async () => void (await stopped(second)));
  assert.match(await exchange(second.url), /^"day";r=44;/);
});
