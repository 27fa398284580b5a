import { cpSync, rmSync } from "node:fs";
import { derivedAnswerId } from "../../server/src/answers/answer.ts";
import {
  copiedEngines,
  dropEngines,
  type EngineSettings,
  engineSettings,
} from "./engines/test-engines.ts";
import { TestService, type TestServiceOptions, temporaryFolder } from "./test-service.ts";

/** The ids of the sample account. */
export const sampleIds = {
  acme: "aaaaaaaa-0000-4000-8000-000000000001",
  globex: "aaaaaaaa-0000-4000-8000-000000000002",
  initech: "aaaaaaaa-0000-4000-8000-000000000003",
  storage: "bbbbbbbb-0000-4000-8000-000000000001",
  hosting: "bbbbbbbb-0000-4000-8000-000000000002",
  storagePrompt: "11111111-0000-4000-8000-000000000001",
  hostingPrompt: "11111111-0000-4000-8000-000000000002",
} as const;

const { storagePrompt, hostingPrompt } = sampleIds;

/** A brand, a competitor with data, one without any; two topics with a prompt each. */
export const sampleWorkspace = {
  account: { name: "Acme" },
  brand: { id: sampleIds.acme, name: "Acme", domains: ["acme.com"] },
  competitors: [
    { id: sampleIds.initech, name: "Initech", domains: ["initech.com"] },
    { id: sampleIds.globex, name: "Globex", domains: ["globex.com"] },
  ],
  topics: [
    { id: sampleIds.storage, name: "Storage" },
    { id: sampleIds.hosting, name: "Hosting" },
  ],
  prompts: [
    { id: storagePrompt, text: "Which storage?", topic: "Storage", branded: false },
    { id: hostingPrompt, text: "Is Acme good at hosting?", topic: "Hosting", branded: true },
  ],
} as const;

/**
 * Two answers on Monday 2026-01-05, none that counts on the 6th, one on the 7th. Cited are
 * acme.com/a and example.org/x by the first, blog.example.org/y by the second, globex.com/z and
 * example.org/x by the third.
 */
export const sampleAnswers = [
  {
    promptId: storagePrompt,
    provider: "OPENAI",
    region: "US",
    answeredAt: "2026-01-05T08:00:00Z",
    text: "Take Globex, then Acme, then Globex.",
    citations: [
      { url: "https://acme.com/a" },
      { url: "https://www.example.org/x?utm_source=openai" },
      { url: "http://example.org/x#second" },
    ],
  },
  {
    promptId: hostingPrompt,
    provider: "GROK",
    answeredAt: "2026-01-05T23:59:59.999Z",
    text: "Acme is good.",
    citations: [
      { url: "https://blog.example.org/y" },
      { url: "https://globex.com/retrieved", cited: false },
    ],
  },
  {
    promptId: storagePrompt,
    provider: "OPENAI",
    answeredAt: "2026-01-06T12:00:00Z",
    outcome: "absent",
  },
  {
    promptId: storagePrompt,
    provider: "OPENAI",
    region: "de",
    answeredAt: "2026-01-07T00:00:00Z",
    text: "It depends.",
    citations: [{ url: "https://globex.com/z" }, { url: "https://example.org/x" }],
  },
] as const;

/** The id of one of the answers, which is derived as they have none. */
export function sampleAnswerId(accountId: string, index: number): string {
  const answer = sampleAnswers[index];
  if (answer === undefined) throw new Error(`the sample has no answer ${index}`);
  const { promptId, provider, answeredAt } = answer;
  const region = "region" in answer ? answer.region.toUpperCase() : null;
  const identity = { promptId, provider, region, answeredAt: Date.parse(answeredAt), sample: 0 };
  return derivedAnswerId(accountId, identity);
}

/** Monday to Wednesday of the sample. */
export const sampleRange = { from: "2026-01-05T00:00:00Z", to: "2026-01-08T00:00:00Z" } as const;

/** A running service with the sample account, and a session of it. */
export interface SampleService {
  readonly service: TestService;
  readonly accountId: string;
  readonly token: string;
}

/** A clock that stands still would let no caller make more than a burst of calls. */
const unlimited = { rateLimit: "off", dailyQuota: "off" } as const;

/**
 * A data folder and engines with the sample account, its facts made: what a start costs is mostly
 * those.
 */
interface PreparedSample {
  readonly dataDir: string;
  readonly engines: EngineSettings;
  readonly accountId: string;
}

let prepared: Promise<PreparedSample> | null = null;

async function prepareSample(): Promise<PreparedSample> {
  const dataDir = temporaryFolder();
  process.once("exit", () => rmSync(dataDir, { recursive: true, force: true }));
  const engines = await engineSettings();
  const service = await TestService.start({ dataDir, settings: { ...unlimited, ...engines } });
  const accountId = await service.apply(sampleWorkspace);
  const tally = await service.import(accountId, sampleAnswers);
  await service.close();
  if (tally.accepted !== sampleAnswers.length) throw new Error("the sample was not accepted");
  return { dataDir, engines, accountId };
}

/**
 * Starts a service with the sample account, without limits; the test's end closes it. Its data
 * folder and its engines are copies: all samples of a process have the same account, signing key
 * and pepper.
 */
export async function startSample(
  t: AfterHook,
  settings: TestServiceOptions["settings"] = unlimited,
): Promise<SampleService> {
  const ends: (() => Promise<void>)[] = [];
  // Before anything is awaited: after that, a hook belongs to the test that prepared the sample.
  t.after(async () => {
    for (const end of ends) await end();
  });
  prepared ??= prepareSample();
  const { dataDir: original, accountId, ...preparedWith } = await prepared;
  const dataDir = temporaryFolder();
  cpSync(original, dataDir, { recursive: true });
  const engines = await copiedEngines(preparedWith.engines);
  const service = await TestService.start({ dataDir, settings: { ...engines, ...settings } });
  ends.push(async () => {
    await service.close();
    await dropEngines(engines);
    rmSync(dataDir, { recursive: true, force: true });
  });
  await service.settle(accountId);
  return { service, accountId, token: await service.session(accountId) };
}

/** What a test's context offers: something to be done when the test ended. */
export interface AfterHook {
  readonly after: (hook: () => Promise<void>) => void;
}

/** The sample's series: one value a day for each entity. */
export function sampleSeries(values: SampleValues): object {
  const entities = [
    { id: sampleIds.acme, name: "Acme", values: values.acme },
    { id: sampleIds.globex, name: "Globex", values: values.globex },
    { id: sampleIds.initech, name: "Initech", values: values.initech },
  ];
  return {
    interval: "daily",
    timeRange: sampleRange,
    series: entities.map(({ id, name, values }) => ({
      id,
      name,
      data: values.map((value, day) => ({
        timestamp: `2026-01-0${5 + day}T00:00:00.000Z`,
        value,
      })),
    })),
  };
}

type Values = readonly [number | null, number | null, number | null];

/** The values of the 5th, the 6th and the 7th. */
export interface SampleValues {
  readonly acme: Values;
  readonly globex: Values;
  readonly initech: Values;
}
