import assert from "node:assert/strict";
import { after, test } from "node:test";
import { correctableAccount } from "@sightline/test-kit/correctable-account.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";

const service = await TestService.start();
after(() => service.close());

test("imports are listed, the newest first", async () => {
  const { accountId, list } = await correctableAccount(service, "Listed", 40);
  const [listed, ...others] = await list();
  assert.deepEqual(others, []);
  const { id = "", startedAt, ...rest } = listed ?? {};
  assert.match(id, /^[0-9a-f-]{36}$/);
  assert.equal(startedAt, new Date(service.clock.now()).toISOString());
  const counts = { accepted: 40, duplicates: 0, rejected: 0 };
  assert.deepEqual(rest, { source: "test", state: "complete", ...counts, undoneAt: null });
  service.clock.advance(1_000);
  await service.import(accountId, [{ provider: "nobody" }]);
  assert.deepEqual(
    (await list()).map(({ accepted, rejected }) => [accepted, rejected]),
    [
      [0, 1],
      [40, 0],
    ],
  );
});

test("an account sees its own alone", async () => {
  const { list } = await correctableAccount(service, "Without", 0);
  assert.deepEqual(await list(), []);
});
