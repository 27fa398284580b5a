import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startSample } from "@sightline/test-kit/sample-account.ts";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { entitiesOf, textsRemovedBefore } from "../../accounts/account-store.ts";
import { compileMentionedIn } from "../../answers/retention/retention.ts";
import type { Services } from "../../services.ts";
import { exportAccount, type MovePlace } from "./export-account.ts";
import { importAccount } from "./import-account.ts";

const onProgress = () => undefined;

function placeOf({ control, answers, clock, keyRing }: Services): MovePlace {
  return { control, answers, clock, pepperFingerprint: keyRing.pepperFingerprint };
}

test("the new service knows of removed texts, and can warn of what is not found", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const { service, accountId } = await startSample(t);
  const { answers, control } = service.services;
  const recorded = await answers.read(accountId, { after: 0, limit: 100 });
  const instants = recorded.map(({ answeredAt }) => answeredAt).toSorted((a, b) => a - b);
  const [first = 0] = instants;
  const move = async (name: string) => {
    const file = join(folder, name);
    await exportAccount(placeOf(service.services), { accountId, file, onProgress });
    const other = await TestService.start({ dataDir: join(folder, `${name} there`) });
    t.after(() => other.close());
    await importAccount(placeOf(other.services), { file, onProgress });
    return textsRemovedBefore(other.services.control, accountId);
  };
  assert.equal(await move("whole"), null, "none was removed");
  const mentionedIn = compileMentionedIn(await entitiesOf(control, accountId));
  const range = { fromMs: 0, beforeMs: first + 1, limit: 100 };
  const { answers: removed } = await answers.removeTexts(accountId, { ...range, mentionedIn });
  assert.ok(removed > 0 && removed < recorded.length);
  const dayMs = 86_400_000;
  assert.equal(await move("some removed"), (Math.floor(first / dayMs) + 1) * dayMs);
});
