import assert from "node:assert/strict";
import { test } from "node:test";
import { readWorkspaceFile, WorkspaceFileError } from "./read-workspace-file.ts";

const head = "account: Acme\nbrand: Acme\n";

/** The faults of a file, each as `line path message`. */
function faultsOf(text: string): readonly string[] {
  try {
    readWorkspaceFile(head + text);
    return [];
  } catch (error) {
    if (!(error instanceof WorkspaceFileError)) throw error;
    return error.faults.map(({ line, path, message }) => `${line} ${path} ${message}`);
  }
}

test("what a file says of collection is read as it stands", () => {
  const { collection, topics, prompts } = readWorkspaceFile(`${head}
collection:
  cron: 0 6 * * 1-5
  timeZone: America/New_York
  providers: [OPENAI, { provider: GEMINI, model: gemini-3-flash }, { provider: COPILOT }]
  regions: [US, DE]
  samples: 20
  caps: { callsPerDay: 0, providers: { OPENAI: { dollarsPerDay: 0.07 } } }
topics:
  - { name: Tents, collection: { cron: "@daily" } }
prompts:
  - { text: Which tent?, topic: Tents, collection: { regions: [], samples: 1 } }
  - Which stove?
`);
  assert.deepEqual(collection, {
    cron: "0 6 * * 1-5",
    timeZone: "America/New_York",
    regions: ["US", "DE"],
    samples: 20,
    providers: ["OPENAI", { provider: "GEMINI", model: "gemini-3-flash" }, { provider: "COPILOT" }],
    caps: { callsPerDay: 0, providers: { OPENAI: { dollarsPerDay: 0.07 } } },
  });
  assert.deepEqual(topics[0]?.collection, { cron: "@daily" });
  assert.deepEqual(
    prompts.map((prompt) => prompt.collection),
    [{ regions: [], samples: 1 }, undefined],
  );
  assert.ok(!("collection" in (prompts[1] ?? {})));
});

test("a fault of a schedule says where it is and what is allowed", () => {
  const cases: readonly (readonly [file: string, faults: readonly string[]])[] = [
    [
      "collection: { cron: 60 6 * * *, providers: [OPENAI] }",
      ["3 /collection/cron must be a cron expression of five parts. Invalid value for minute: 60"],
    ],
    [
      "collection: { cron: 0 0 6 * * *, providers: [OPENAI] }",
      [
        "3 /collection/cron must be a cron expression of five parts. " +
          "mode '5-part' requires exactly 5 parts, but pattern '0 0 6 * * *' has 6 parts.",
      ],
    ],
    [
      "collection: { cron: 0 0 30 2 *, providers: [OPENAI] }",
      ['3 /collection/cron never comes: "0 0 30 2 *".'],
    ],
    [
      "collection: { cron: 0 6 * * * }",
      ["3 /collection/cron needs `providers`, here or around: nobody is asked otherwise."],
    ],
    [
      "collection: { timeZone: Europe/Bonn }",
      [
        "3 /collection/timeZone must be a time zone such as Europe/Berlin or UTC, " +
          'got "Europe/Bonn".',
      ],
    ],
    [
      "collection: { regions: [US, UK, EU, US] }",
      [
        '3 /collection/regions/1 must be a country of ISO 3166-1, such as US or DE, got "UK".',
        '3 /collection/regions/2 must be a country of ISO 3166-1, such as US or DE, got "EU".',
        "3 /collection/regions/3 US stands in this list already.",
      ],
    ],
    [
      "collection:\n  providers:\n    - { provider: COPILOT, surface: api }\n" +
        "    - { provider: GROK, vendor: openai }\n" +
        "    - { provider: GEMINI, surface: web, model: x }",
      [
        "5 /collection/providers/0 COPILOT has no surface api; allowed: web.",
        "6 /collection/providers/1 openai is not asked for GROK on api; allowed: xai.",
        "7 /collection/providers/2 GEMINI on web takes no model: its page chooses. " +
          "Leave `model` out.",
      ],
    ],
    [
      "collection: { providers: [OPENAI] }\nprompts:\n" +
        "  - { text: a, collection: { providers: [{ provider: OPENAI, surface: web }] } }",
      [
        "5 /prompts/0/collection/providers/0 OPENAI is asked on api in this file and on web " +
          "here. Write one surface, or `mixSurfaces: true` under `collection`.",
      ],
    ],
    [
      "topics:\n  - { name: a, collection: { providers: [COPILOT] } }\n" +
        "  - { name: b, collection: { providers: [{ provider: COPILOT, vendor: serpapi }] } }",
      [
        "5 /topics/1/collection/providers/0 COPILOT on web is asked of cloro in this file: write " +
          "one vendor.",
      ],
    ],
  ];
  for (const [file, faults] of cases) assert.deepEqual(faultsOf(file), faults, file);
});

test("a place that its vendor does not take, or that is of no one country, is a fault", () => {
  const file =
    "collection:\n  providers:\n    - { provider: GEMINI, regions: [US], city: Berlin }\n" +
    "    - { provider: OPENAI, regions: [US, DE], state: Ohio }\n" +
    "    - { provider: GROK, regions: [UK] }";
  assert.deepEqual(faultsOf(file), [
    "5 /collection/providers/0 GEMINI takes no state or city of gemini. Leave `state` and `city` " +
      "out.",
    "6 /collection/providers/1 OPENAI: `state` and `city` are of one country. Write it in " +
      "`regions`, such as [US].",
    "7 /collection/providers/2/regions/0 must be a country of ISO 3166-1, such as US or DE, got " +
      '"UK".',
  ]);
});

test("a wrong shape is refused at its place", () => {
  const places = (text: string) => faultsOf(text).map((fault) => fault.split(" ")[1]);
  assert.deepEqual(places("collection: { samples: 0 }"), ["/collection/samples"]);
  assert.deepEqual(places("collection: { samples: 21 }"), ["/collection/samples"]);
  assert.deepEqual(places("collection: { providers: [] }"), ["/collection/providers"]);
  assert.deepEqual(places("collection: { providers: [BING] }"), ["/collection/providers/0"]);
  assert.deepEqual(places("collection: { regions: [us] }"), ["/collection/regions/0"]);
  assert.deepEqual(places("collection: { caps: { callsPerDay: -1 } }"), [
    "/collection/caps/callsPerDay",
  ]);
  assert.deepEqual(places("collection: { caps: { providers: { BING: {} } } }"), [
    "/collection/caps/providers/BING",
  ]);
  assert.deepEqual(places("topics: [{ name: a, collection: { caps: {} } }]"), [
    "/topics/0/collection/caps",
  ]);
  assert.deepEqual(places("collection: { crn: 0 6 * * * }"), ["/collection/crn"]);
});

test("both surfaces of a provider are taken when that is wanted", () => {
  const providers = "[OPENAI, { provider: OPENAI, surface: web }]";
  assert.equal(faultsOf(`collection: { providers: ${providers} }`).length, 1);
  assert.deepEqual(faultsOf(`collection: { mixSurfaces: true, providers: ${providers} }`), []);
});

test("a file has at most a hundred different times", () => {
  const prompts = (count: number) =>
    Array.from({ length: count }, (_, n) => {
      return `  - { text: p${n}, collection: { cron: ${n % 60} ${Math.floor(n / 60)} * * * } }`;
    }).join("\n");
  const file = (count: number) => `collection: { providers: [GROK] }\nprompts:\n${prompts(count)}`;
  assert.deepEqual(faultsOf(file(100)), []);
  assert.deepEqual(faultsOf(file(101)), [
    "105 /prompts/100/collection/cron is one time too many: at most 100 differ.",
  ]);
});
