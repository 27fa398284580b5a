import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import { HeldClock } from "../../../test/held-clock.ts";
import { temporaryFolder } from "../../../test/test-service.ts";
import { createLogger } from "../../platform/logger.ts";
import { Retention } from "./retention.ts";

test("accounts that cannot be listed once are looked at the next time", async (t) => {
  const dataDir = temporaryFolder();
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  let looks = 0;
  const retention = new Retention({
    records: { dataDir },
    control: {
      accounts: async () => {
        looks++;
        if (looks === 1) throw new Error("PostgreSQL is away");
        return [];
      },
      noteTextsRemoved: async () => undefined,
    },
    clock: new HeldClock(),
    logger: createLogger("silent"),
    keepTexts: 120,
    keepRaw: "off",
  });
  t.after(() => retention.close());
  await assert.rejects(retention.removeDue(), /away/);
  await retention.removeDue();
  assert.equal(looks, 2);
});
