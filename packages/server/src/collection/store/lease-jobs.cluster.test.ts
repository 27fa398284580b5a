import assert from "node:assert/strict";
import { test } from "node:test";
import { controlAddress } from "@sightline/test-kit/engines/control-engines.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { emptyAccount, lease, newJobs, newSweep } from "@sightline/test-kit/sweeps.ts";
import Database from "better-sqlite3";
import { openControl } from "../../control/control.ts";
import { addSweep } from "./sweep-store.ts";

test("jobs that are leased are their worker's, whatever fails after that", async (t) => {
  const clock = new HeldClock();
  const address = await controlAddress(t, "sqlite");
  assert.ok("sqlite" in address);
  const control = await openControl(address, clock);
  t.after(() => control.close());
  await addSweep(
    control,
    await emptyAccount(control),
    newSweep(clock.now(), newJobs(3)),
    clock.now(),
  );
  const database = new Database(address.sqlite);
  database.exec(
    "create trigger no_turns before update of turn on sweep_parts begin " +
      "select raise(abort, 'no turn can be noted'); end",
  );
  database.close();
  assert.equal((await lease(control, clock.now(), 2)).length, 2);
  assert.equal((await lease(control, clock.now(), 2)).length, 1);
  assert.deepEqual(await lease(control, clock.now(), 2), []);
});
