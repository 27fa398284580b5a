import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { StartedCollection } from "@sightline/contract";
import { catchUp } from "@sightline/test-kit/collection/collecting.ts";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { workspaceOf } from "../../../accounts/account-store.ts";
import { deleteCollector, saveCollectorReport } from "../../store/collector-reports.ts";
import { sweepsOf } from "../../store/sweep-reads.ts";

const service = await TestService.start();
after(() => service.close());
const workspace = {
  account: "Asked",
  brand: "Acme",
  topics: ["Seeds", "Tools"],
  prompts: [
    { text: "best seeds", topic: "Seeds" },
    { text: "worst seeds", topic: "Seeds" },
    "best spade",
    { text: "a paused one", paused: true },
  ],
  collection: { providers: ["OPENAI", "GOOGLE_AI_OVERVIEW"], regions: ["US", "DE"] },
};
const accountId = await service.apply(workspace);
// The planning thread uses the machine's clock.
catchUp(service.clock);
const token = await service.session(accountId, ["manage"]);
const declared = await workspaceOf(service.services.control, accountId);

async function planned(request: object): Promise<StartedCollection> {
  const body = { ...request, dryRun: true };
  const reply = await service.post("/v1/collections", { token, body });
  assert.equal(reply.status, 200, reply.body);
  assert.equal(reply.headers["cache-control"], "no-store");
  (await ServedSchemas.of(service)).assertValid("StartedCollectionDto", reply.json());
  return reply.json<StartedCollection>();
}

const lacking = (vendor: string, name: string) =>
  `No process that collects has a credential of ${vendor}. Set ${name}.`;
const jobsOf = ({ estimates }: StartedCollection) =>
  Object.fromEntries(estimates.map(({ provider, jobs }) => [provider, jobs]));

test("a dry run says what would be asked and cost, without any credential", async () => {
  const { id, jobs, dollars, pricesDate, estimates, unanswered } = await planned({});
  assert.deepEqual([id, jobs], [null, 12]);
  assert.match(pricesDate, /^\d{4}-\d\d-\d\d$/);
  const shown = estimates.map(({ provider, surface, vendor, jobs: each, calls, ...more }) => {
    return { provider, surface, vendor, each, calls, hasCredential: more.hasCredential };
  });
  const hasCredential = false;
  assert.deepEqual(shown, [
    { provider: "OPENAI", surface: "api", vendor: "openai", each: 6, calls: 6, hasCredential },
    {
      provider: "GOOGLE_AI_OVERVIEW",
      surface: "web",
      vendor: "dataforseo",
      each: 6,
      calls: 6,
      hasCredential,
    },
  ]);
  const sum = estimates.reduce((total, each) => total + each.dollars, 0);
  assert.ok(dollars > 0 && Math.abs(sum - dollars) < 1e-9, `${sum} and ${dollars}`);
  assert.deepEqual(
    unanswered.map(({ provider, jobs: each, reason }) => [provider, each, reason]),
    [
      ["OPENAI", 6, lacking("openai", "SIGHTLINE_OPENAI_KEY")],
      ["GOOGLE_AI_OVERVIEW", 6, lacking("dataforseo", "SIGHTLINE_DATAFORSEO_LOGIN")],
    ],
  );
  assert.deepEqual(
    await sweepsOf(service.services.control, accountId, 10, service.clock.now()),
    [],
  );
});

test("without the first vendor the second one is asked, and the reason is given", async () => {
  const counts = { requests: 0, failed: 0, medianMs: null, lastError: null };
  const { control, clock } = service.services;
  const serpapi = { vendor: "serpapi", state: "ready", until: null, reason: null, ...counts };
  await saveCollectorReport(control, "a", JSON.stringify([serpapi]), clock.now());
  const { estimates, unanswered } = await planned({});
  await deleteCollector(control, "a");
  const reason = lacking("dataforseo", "SIGHTLINE_DATAFORSEO_LOGIN");
  assert.deepEqual(
    estimates.map(({ provider, vendor, hasCredential, skipped }) => {
      return { provider, vendor, hasCredential, skipped };
    }),
    [
      { provider: "OPENAI", vendor: "openai", hasCredential: false, skipped: undefined },
      {
        provider: "GOOGLE_AI_OVERVIEW",
        vendor: "serpapi",
        hasCredential: true,
        skipped: [{ vendor: "dataforseo", reason }],
      },
    ],
  );
  assert.deepEqual(
    unanswered.map(({ provider }) => provider),
    ["OPENAI"],
  );
});

test("prompts, topics, providers, regions and samples are chosen", async () => {
  const ids = new Map(declared?.prompts.map(({ text, id }) => [text, id]));
  const topic = declared?.topics.find(({ name }) => name === "Seeds")?.id ?? "";
  const spade = ids.get("best spade") ?? "";
  const cases: readonly (readonly [object, Record<string, number>])[] = [
    [{ promptIds: [spade.toUpperCase()] }, { OPENAI: 2, GOOGLE_AI_OVERVIEW: 2 }],
    [{ topics: [{ id: topic }] }, { OPENAI: 4, GOOGLE_AI_OVERVIEW: 4 }],
    [{ providers: ["OPENAI"] }, { OPENAI: 6 }],
    [{ providers: ["COPILOT"], regions: ["FR"] }, { COPILOT: 3 }],
    // Refused questions are not estimated: xAI does not accept a region.
    [{ providers: ["GROK"], regions: ["FR"] }, {}],
    [
      { promptIds: [spade], regions: ["FR", "FR"], samples: 5 },
      { OPENAI: 5, GOOGLE_AI_OVERVIEW: 5 },
    ],
    [{ promptIds: [ids.get("a paused one") ?? ""] }, {}],
    [{ promptIds: [topic] }, {}],
  ];
  for (const [request, expected] of cases) {
    const started = await planned(request);
    assert.deepEqual(jobsOf(started), expected, JSON.stringify(request));
    assert.equal(
      started.jobs,
      Object.values(expected).reduce((one, other) => one + other, 0),
    );
  }
});
