import assert from "node:assert/strict";
import { after, test } from "node:test";
import { vendors } from "@sightline/contract";
import { TestService } from "@sightline/test-kit/test-service.ts";
import {
  deleteCollector,
  saveCollectorReport,
} from "../../src/collection/store/collector-reports.ts";
import { collectorsHealth, vendorAvailability } from "../../src/collection/vendor-choice.ts";

const service = await TestService.start();
after(() => service.close());
const { clock } = service;
const { control } = service.services;

const accountId = await service.apply({ account: "Acme", brand: "Acme" });

const counts = { requests: 2, failed: 1, medianMs: 5 };
const stopped = { state: "stopped", until: 9_000, reason: "no balance" };
const ready = { state: "ready", until: null, reason: null };
const error = (at: number) => ({ lastError: { at, reason: `at ${at}` } });

const stateOf = async (vendor: string) => {
  const { vendors: known } = await collectorsHealth(control, clock);
  return known.find((each) => each.vendor === vendor);
};

test("a vendor stands as with the process that may ask it; silent ones are forgotten", async () => {
  const none = await collectorsHealth(control, clock);
  assert.equal(none.collectors, 0);
  assert.deepEqual(
    none.vendors.map(({ vendor, state }) => [vendor, state]),
    vendors.map((vendor) => [vendor, "no-credential"]),
  );
  const openai = { vendor: "openai", ...counts };
  await saveCollectorReport(
    control,
    "a",
    JSON.stringify([{ ...openai, ...stopped, ...error(7) }]),
    clock.now(),
  );
  const waiting = { state: "waiting", until: 5_000, reason: "a limit" };
  const other = [
    { ...openai, ...waiting, ...error(8) },
    { vendor: "xai", ...counts, ...ready },
  ];
  const report = JSON.stringify(other.map((each) => ({ lastError: null, ...each })));
  await saveCollectorReport(control, "b", report, clock.now());
  const together = { ...openai, ...waiting, ...error(8), requests: 4, failed: 2, untold: 0 };
  assert.deepEqual(await stateOf("openai"), together);
  assert.equal((await stateOf("xai"))?.state, "ready");
  assert.equal((await collectorsHealth(control, clock)).collectors, 2);

  clock.advance(10_000);
  await saveCollectorReport(
    control,
    "a",
    JSON.stringify([{ ...openai, ...ready, lastError: null }]),
    clock.now(),
  );
  clock.advance(6_000);
  assert.equal((await collectorsHealth(control, clock)).collectors, 1);
  assert.deepEqual((await stateOf("openai"))?.state, "ready");
  assert.equal((await stateOf("xai"))?.state, "no-credential");
  await deleteCollector(control, "a");
  assert.equal((await collectorsHealth(control, clock)).collectors, 0);
});

test("a report that is not understood counts as a process, and says nothing", async () => {
  await saveCollectorReport(
    control,
    "c",
    JSON.stringify([{ vendor: "of-a-later-version" }]),
    clock.now(),
  );
  const { collectors, vendors: known } = await collectorsHealth(control, clock);
  assert.equal(collectors, 1);
  assert.ok(known.every(({ state }) => state === "no-credential"));
});

test("a process that asked a vendor for nothing knows less than a refused one", async () => {
  const none = { requests: 0, failed: 0, medianMs: null, lastError: null };
  await saveCollectorReport(
    control,
    "d",
    JSON.stringify([{ vendor: "cloro", ...none, ...ready }]),
    clock.now(),
  );
  assert.equal((await stateOf("cloro"))?.state, "ready");
  const refused = { vendor: "cloro", ...counts, lastError: null, ...stopped };
  await saveCollectorReport(control, "e", JSON.stringify([refused]), clock.now());
  assert.equal((await stateOf("cloro"))?.state, "stopped");
  for (const id of ["d", "e"]) await deleteCollector(control, id);
});

test("a vendor that is stopped has a fault for a week, one that waits after a minute", async () => {
  const [minuteMs, dayMs] = [60_000, 86_400_000];
  const faultOf = async (state: string, forMs: number) => {
    const until = clock.now() + forMs;
    const health = { vendor: "dataforseo", ...counts, state, until, reason: "no", lastError: null };
    await saveCollectorReport(control, "f", JSON.stringify([health]), clock.now());
    const availabilityOf = await vendorAvailability({ control, clock, vendors: [] }, accountId);
    assert.equal(availabilityOf("dataforseo").hasCredential, true);
    return availabilityOf("dataforseo").fault;
  };
  assert.equal(await faultOf("waiting", minuteMs), null);
  assert.equal(await faultOf("waiting", -dayMs), null);
  assert.equal(await faultOf("waiting", minuteMs + 1), "dataforseo is waiting: no");
  assert.equal(await faultOf("stopped", 15 * minuteMs), "dataforseo is stopped: no");
  assert.equal(await faultOf("stopped", 1 - 7 * dayMs), "dataforseo is stopped: no");
  assert.equal(await faultOf("stopped", -7 * dayMs), null);
  await deleteCollector(control, "f");
  const of = async (...vendors: readonly "dataforseo"[]) =>
    (await vendorAvailability({ control, clock, vendors }, accountId))("dataforseo");
  assert.deepEqual(await of("dataforseo"), { hasCredential: true, fault: null });
  assert.deepEqual(await of(), {
    hasCredential: false,
    fault:
      "No process that collects has a credential of dataforseo. Set SIGHTLINE_DATAFORSEO_LOGIN.",
  });
});
