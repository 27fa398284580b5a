import assert from "node:assert/strict";
import { test } from "node:test";
import { type Ask, askOf, providers, type Vendor, vendors, vendorsOf } from "@sightline/contract";
import fc from "fast-check";
import { readWorkspaceFile } from "../accounts/workspace-file/read-workspace-file.ts";
import { jobsOf } from "./plan.ts";
import { type VendorAvailability, vendorChoice } from "./vendor-choice.ts";

const usable: VendorAvailability = { hasCredential: true, fault: null };
const stopped: VendorAvailability = { hasCredential: true, fault: "it is stopped" };
const unknown: VendorAvailability = { hasCredential: false, fault: "no credential" };
const bare = "GOOGLE_AI_MODE";
const named = "{ provider: GOOGLE_AI_MODE, vendor: dataforseo }";

function workspaceOf(ofAccount: string, ofPrompt = ofAccount) {
  return readWorkspaceFile(`
account: Acme
brand: Acme
collection: { cron: 0 6 * * *, providers: [OPENAI, ${ofAccount}] }
prompts:
  - plain
  - { text: own, collection: { providers: [${ofPrompt}, GOOGLE_AI_OVERVIEW] } }
`);
}

type Availabilities = Readonly<Partial<Record<Vendor, VendorAvailability>>>;

/** The vendor that a workspace's pages of AI Mode come from, and the skipped ones. */
function askedOf(
  workspace: ReturnType<typeof workspaceOf>,
  availabilities: Availabilities,
  parts: readonly Pick<Ask, "provider" | "surface" | "vendor">[] = [],
) {
  const availabilityOf = (vendor: Vendor) => availabilities[vendor] ?? usable;
  const { chosen, skipped } = vendorChoice(workspace, { availabilityOf, parts });
  const wanted = { selection: {} };
  const jobs = [...jobsOf(workspace, { slot: 1, wanted, reserveOf: () => 1, chosen })];
  const pages = jobs.filter(({ provider }) => provider === bare);
  const reasons = skipped({ provider: bare, surface: "web" });
  return {
    vendors: [...new Set(pages.map(({ vendor }) => vendor))],
    skipped: reasons.map(({ vendor, reason }) => `${vendor}: ${reason}`),
  };
}

test("the first vendor without a fault is asked, and says why those before it are not", () => {
  const workspace = workspaceOf(bare);
  assert.deepEqual(askedOf(workspace, {}), { vendors: ["dataforseo"], skipped: [] });
  for (const dataforseo of [stopped, unknown]) {
    assert.deepEqual(askedOf(workspace, { dataforseo }), {
      vendors: ["serpapi"],
      skipped: [`dataforseo: ${dataforseo.fault}`],
    });
  }
});

test("where each has a fault, the first with a credential waits; else the first is named", () => {
  const workspace = workspaceOf(bare);
  assert.deepEqual(askedOf(workspace, { dataforseo: stopped, serpapi: stopped }), {
    vendors: ["dataforseo"],
    skipped: [],
  });
  assert.deepEqual(askedOf(workspace, { dataforseo: unknown, serpapi: stopped }), {
    vendors: ["serpapi"],
    skipped: ["dataforseo: no credential"],
  });
  assert.deepEqual(askedOf(workspace, { dataforseo: unknown, serpapi: unknown }), {
    vendors: ["dataforseo"],
    skipped: [],
  });
});

test("a vendor that is named anywhere is asked everywhere, and a planned part stays", () => {
  for (const workspace of [workspaceOf(named, bare), workspaceOf(bare, named)]) {
    assert.deepEqual(askedOf(workspace, { dataforseo: stopped }), {
      vendors: ["dataforseo"],
      skipped: [],
    });
  }
  const part = { provider: bare, surface: "web" } as const;
  for (const vendor of ["dataforseo", "serpapi"] as const) {
    for (const availabilities of [{ dataforseo: stopped }, {}]) {
      assert.deepEqual(askedOf(workspaceOf(bare), availabilities, [{ ...part, vendor }]), {
        vendors: [vendor],
        skipped: [],
      });
    }
  }
});

test("whatever stands how, an ask keeps its part and goes to a vendor that can be asked it", () => {
  const workspace = workspaceOf(bare);
  const standing = fc.constantFrom(usable, stopped, unknown);
  const availabilities = fc.record(Object.fromEntries(vendors.map((vendor) => [vendor, standing])));
  fc.assert(
    fc.property(availabilities, fc.constantFrom(...providers), (each, provider) => {
      const availabilityOf = (vendor: Vendor) => each[vendor] ?? usable;
      const ask = askOf(provider);
      assert.ok(typeof ask !== "string");
      const { chosen, skipped } = vendorChoice(workspace, { availabilityOf });
      const asked = chosen(ask);
      assert.deepEqual({ ...asked, vendor: ask.vendor }, ask);
      const able = vendorsOf[provider][ask.surface] ?? [];
      assert.ok(able.includes(asked.vendor));
      const best = Math.min(...able.map((vendor) => rank(availabilityOf(vendor))));
      assert.equal(rank(availabilityOf(asked.vendor)), best, "a better one is there");
      assert.ok(skipped(ask).every(({ vendor }) => rank(availabilityOf(vendor)) > best));
      assert.equal(skipped(ask).length, able.indexOf(asked.vendor));
    }),
  );
});

function rank({ hasCredential, fault }: VendorAvailability): number {
  return fault === null ? 0 : hasCredential ? 1 : 2;
}
