import assert from "node:assert/strict";
import { test } from "node:test";
import { workspaceFileSchema } from "@sightline/contract";
import { faultyFiles } from "@sightline/test-kit/requests/hostile-fields.ts";
import type { Workspace } from "../workspace.ts";
import { NotJsonError, readWorkspaceFile, WorkspaceFileError } from "./read-workspace-file.ts";

const base = "account: { name: Acme }\nbrand: { name: Acme }\n";

function yaml(...lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}

/** Each fault as "line: path: message". */
function faultsOf(text: string): readonly string[] {
  try {
    readWorkspaceFile(text);
  } catch (error) {
    assert.ok(error instanceof WorkspaceFileError, String(error));
    return error.faults.map(({ line, path, message }) => `${line}: ${path || "/"}: ${message}`);
  }
  return [];
}

/** Ids from Python's uuid.uuid5: the account's in Sightline's namespace, the others' in its. */
const derived = {
  account: "9b1338cc-0c23-5ae5-b4b2-6c7b2c3074ba",
  Acme: "dcc39a73-deb2-5142-a102-627d8d2a9653",
  Globex: "f3004910-bc7d-56da-8ea4-67e59192a50d",
  Storage: "cc40b1d4-f3ef-5159-8ff9-dfdce1a805ad",
  prompt: "6221055c-c0ba-55d1-a1c0-bba0e5544d8d",
};

const full = {
  account: { name: "Acme" },
  brand: {
    name: "Acme",
    aliases: ["Acme Labs", { name: "Keeper", caseSensitive: true }, { name: "Ac" }],
    domains: ["https://www.ACME.com/", "acme.com", "LinkedIn.com/company/acme/"],
    except: ["acme of success", "Keeper of bees", "acme of success"],
  },
  competitors: [{ name: "Globex", caseSensitive: true }],
  topics: [{ name: "Storage" }],
  prompts: [
    { text: "What is the best anvil?", topic: "Storage", tags: ["buying", "DE"], paused: true },
    { id: "11111111-AAAA-4111-8111-111111111111", text: "Is acme labs any good?" },
    { id: "11111111-1111-4111-8111-111111111112", text: "Is a keeper needed?" },
    { id: "11111111-1111-4111-8111-111111111113", text: "Is Acme good?", branded: false },
    { id: "11111111-1111-4111-8111-111111111114", text: "Is any good?", branded: true },
  ],
};

const expected: Workspace = {
  accountId: derived.account,
  accountName: "Acme",
  entities: [
    {
      id: derived.Acme,
      kind: "brand",
      name: "Acme",
      caseSensitive: false,
      aliases: [
        { name: "Acme Labs", caseSensitive: false },
        { name: "Keeper", caseSensitive: true },
        { name: "Ac", caseSensitive: false },
      ],
      domains: ["acme.com", "linkedin.com/company/acme"],
      except: ["acme of success", "Keeper of bees"],
    },
    {
      id: derived.Globex,
      kind: "competitor",
      name: "Globex",
      caseSensitive: true,
      aliases: [],
      domains: [],
    },
  ],
  topics: [{ id: derived.Storage, name: "Storage" }],
  prompts: [
    {
      id: derived.prompt,
      text: "What is the best anvil?",
      topicId: derived.Storage,
      branded: false,
      paused: true,
      tags: ["DE", "buying"],
    },
    ...[
      ["11111111-aaaa-4111-8111-111111111111", "Is acme labs any good?", true] as const,
      ["11111111-1111-4111-8111-111111111112", "Is a keeper needed?", false] as const,
      ["11111111-1111-4111-8111-111111111113", "Is Acme good?", false] as const,
      ["11111111-1111-4111-8111-111111111114", "Is any good?", true] as const,
    ].map(([id, text, branded]) => ({ id, text, topicId: null, branded, paused: false })),
  ],
};

/** The same file in each way to write it. */
const spellings: Readonly<Record<string, string>> = {
  "JSON on one line": JSON.stringify(full),
  "JSON with tabs": JSON.stringify(full, null, "\t"),
  "JSON with spaces and CRLF": JSON.stringify(full, null, 2).replaceAll("\n", "\r\n"),
  "a byte order mark": `\uFEFF${JSON.stringify(full)}`,
  YAML: `
# A comment
account: {name: Acme}
brand:
  name: "Acme"
  aliases:
    - Acme Labs
    - { name: Keeper, caseSensitive: true }
    - name: Ac
  domains: [https://www.ACME.com/, acme.com, LinkedIn.com/company/acme/]
  except: [acme of success, Keeper of bees, acme of success]
competitors: [{ name: Globex, caseSensitive: true }]
topics:
- name: &topic Storage
prompts:
- { text: 'What is the best anvil?', topic: *topic, tags: [buying, DE], paused: true }
${full.prompts
  .slice(1)
  .map((prompt) => `- ${JSON.stringify(prompt)}`)
  .join("\n")}
`,
};

for (const [name, text] of Object.entries(spellings)) {
  test(`the workspace that a file declares: ${name}`, () => {
    assert.deepEqual(readWorkspaceFile(text), expected);
  });
}

test("a text stands for an account, an entity, a topic or a prompt without other fields", () => {
  const short = yaml(
    "account: Acme",
    "brand: Acme",
    "competitors: [Globex, { name: Initech }]",
    "topics: [Storage]",
    "prompts:",
    "  - What is the best anvil?",
    "  - { text: Is Acme good?, topic: Storage }",
  );
  const long = yaml(
    "account: { name: Acme }",
    "brand: { name: Acme }",
    "competitors: [{ name: Globex }, { name: Initech }]",
    "topics: [{ name: Storage }]",
    "prompts:",
    "  - { text: What is the best anvil? }",
    "  - { text: Is Acme good?, topic: Storage }",
  );
  assert.deepEqual(readWorkspaceFile(short), readWorkspaceFile(long));
});

test("the contract's schema takes what is read, and what it takes has no fault of shape", () => {
  const known = [full, { account: "A", brand: "B", competitors: ["C"], prompts: ["d?"] }];
  for (const each of known) {
    assert.ok(workspaceFileSchema.safeParse(each).success);
    assert.deepEqual(faultsOf(JSON.stringify(each)), []);
  }
  for (const each of [{}, { ...full, brand: 5 }, { ...full, topics: [{ nme: "x" }] }]) {
    assert.equal(workspaceFileSchema.safeParse(each).success, false);
    assert.notDeepEqual(faultsOf(JSON.stringify(each)), []);
  }
});

test("a file that is read for an account is of that account, whatever its name", () => {
  const accountId = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001";
  const read = (text: string) => readWorkspaceFile(text, { accountId });
  const named = read(base);
  assert.equal(named.accountId, accountId);
  const withId = base.replace("name: Acme", `id: ${accountId.toUpperCase()}, name: Acme`);
  assert.deepEqual(read(withId), named);
  const foreign = base.replace("name: Acme", `id: ${derived.account}, name: Acme`);
  assert.throws(() => read(foreign), {
    faults: [
      {
        line: 1,
        path: "/account/id",
        code: "not_allowed",
        message: `must be left out, or ${accountId}, the account that the file is applied to.`,
      },
    ],
  });
});

test("a file that is JSON by its own account is JSON, with its bounds", () => {
  const read = (text: string) => readWorkspaceFile(text, { format: "json" });
  assert.deepEqual(read(JSON.stringify(full)), expected);
  for (const text of ["", base, "{]", '{"account":"a","account":"b"}', "{'account': 'a'}"]) {
    assert.throws(() => read(text), NotJsonError, text);
  }
  const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [n, n])));
  for (const text of ["[".repeat(33), wide]) assert.throws(() => read(text), WorkspaceFileError);
});

test("competitors come by lower-cased name, the brand first", () => {
  const { entities } = readWorkspaceFile(
    `${base}competitors: [{ name: beta }, { name: Alpha }, { name: Zeta }, { name: gamma }]`,
  );
  assert.deepEqual(
    entities.map(({ name }) => name),
    ["Acme", "Alpha", "beta", "gamma", "Zeta"],
  );
});

test("what all entities have together is bounded, and nothing is compiled beyond that", () => {
  const competitors = (count: number, names: number, characters = 0) =>
    Array.from({ length: count }, (_, entity) => ({
      name: `Rival ${entity}`,
      aliases: Array.from({ length: names }, (_, index) =>
        `${entity} ${index}`.padEnd(characters, "x"),
      ),
    }));
  const faults = (file: object) =>
    faultsOf(JSON.stringify({ account: "Acme", brand: "Acme", ...file }));
  assert.deepEqual(faults({ competitors: competitors(50, 998) }), []);
  assert.deepEqual(faults({ competitors: competitors(50, 1_000) }), [
    "1: /: The entities must have at most 50000 names, aliases and phrases together, got 50051.",
  ]);
  const except = Array.from({ length: 100 }, (_, index) => `Rival of all ${index}`);
  assert.deepEqual(faults({ competitors: [...competitors(50, 998), { name: "Rival", except }] }), [
    "1: /: The entities must have at most 50000 names, aliases and phrases together, got 50052.",
  ]);
  assert.deepEqual(faults({ competitors: competitors(3, 1_000, 350) }), [
    "1: /: The entities must have at most 1000000 characters of names, aliases and phrases " +
      "together, got 1050025.",
  ]);
  const owned = competitors(51, 0).map(({ name }, entity) => {
    const domains = Array.from({ length: 1_000 }, (_, index) => `h${index}.r${entity}.example`);
    return { name, domains };
  });
  assert.deepEqual(faults({ competitors: owned }), [
    "1: /: The entities must have at most 50000 domains together, got 51000.",
  ]);
});

test("an id that is given is the namespace of what stands below it", () => {
  const given = readWorkspaceFile(base.replace("name: Acme", `id: ${derived.account}, name: X`));
  assert.equal(given.entities[0]?.id, derived.Acme);
});

const fieldNames =
  "Known fields: account, brand, competitors, collection, topics, prompts, views, notes, " +
  "sources, facts, ignoredNames, reports, accountTags.";
const uuidForm = "must be a UUID (8-4-4-4-12 hexadecimal digits)";
const hostForm = "must be a host with an optional path, such as acme.com or acme.com/shop";
const textForm = "must be a non-empty text.";
const aliasForm = "must be a name, or { name, caseSensitive }";

/** Files, and all of their faults in the order of the lines. */
const searchPart =
  "must be the search part of an address of the console, such as ?providers=OPENAI";

const faulty: readonly (readonly [name: string, text: string, faults: readonly string[]])[] = [
  ["an empty file", "", ["1: /: must be an object, got null."]],
  ["a list", "[]", ["1: /: must be an object, got an array."]],
  [
    "nothing in it",
    "{}",
    [
      "1: /account: is required and must be an object.",
      "1: /brand: is required and must be an object.",
    ],
  ],
  [
    "names left out",
    "account: {}\nbrand:\n  domains: []\n",
    [
      "1: /account/name: is required and must be a string.",
      "2: /brand/name: is required and must be a string.",
    ],
  ],
  [
    "unknown fields, near and far",
    `${base}competitor: []\nfoo: 1\n`,
    [
      '3: /competitor: "competitor" is not a known field. Did you mean competitors?',
      `4: /foo: "foo" is not a known field. ${fieldNames}`,
    ],
  ],
  [
    "unknown fields deeper down",
    "account: { name: Acme, nme: x }\nbrand:\n  name: Acme\n  alias: []\n",
    [
      '1: /account/nme: "nme" is not a known field. Did you mean name?',
      '4: /brand/alias: "alias" is not a known field. Did you mean aliases?',
    ],
  ],
  [
    "views that are no addresses or have one name, and notes without a day",
    `${base}views:
  - { name: A, view: "providers=GROK" }
  - { name: " ", view: "?a=<b>" }
notes:
  - { date: 2026-02-30, text: x }
`,
    [
      `4: /views/0/view: ${searchPart}, got "providers=GROK".`,
      "5: /views/1/name: must be a non-empty text.",
      `5: /views/1/view: ${searchPart}, got "?a=<b>".`,
      '7: /notes/0/date: must be a date such as 2026-01-31, got "2026-02-30".',
    ],
  ],
  [
    "views with one name",
    `${base}views:\n  - { name: A, view: "?a" }\n  - { name: A, view: "?b" }\n`,
    ['5: /views/1: "A" is already the name of /views/0.'],
  ],
  [
    "a field named __proto__",
    `${base}__proto__: {}\n`,
    [`3: /__proto__: "__proto__" is not a known field. ${fieldNames}`],
  ],
  [
    "names that are none",
    "account: { name: 007 }\nbrand:\n  name: '  '\n  caseSensitive: yes\n",
    [
      "1: /account/name: must be a string, got 7.",
      `3: /brand/name: ${textForm}`,
      '4: /brand/caseSensitive: must be true or false, got the text "yes". Write true',
    ],
  ],
  [
    "aliases and domains",
    yaml(
      "account: { name: Acme }",
      "brand:",
      "  name: Acme",
      "  aliases:",
      "    - ''",
      "    - 7",
      "    - { name: 5 }",
      "  domains:",
      "    - acme",
      "    - a@b.c",
      "    - 5",
    ),
    [
      `5: /brand/aliases/0: ${textForm}`,
      `6: /brand/aliases/1: ${aliasForm}, got 7.`,
      `7: /brand/aliases/2: ${aliasForm}, got an object.`,
      `9: /brand/domains/0: ${hostForm}, got "acme".`,
      `10: /brand/domains/1: ${hostForm}, got "a@b.c".`,
      "11: /brand/domains/2: must be a string, got 5.",
    ],
  ],
  [
    "phrases that are not mentions",
    yaml(
      "account: Acme",
      "brand:",
      "  name: Acme",
      "  aliases: [Acme Labs]",
      "  except:",
      "    - acme of all",
      "    - ' '",
      "    - ACME-LABS",
      "competitors: [{ name: Globex, except: Globex theory }]",
    ),
    [
      `7: /brand/except/1: ${textForm}`,
      '9: /competitors/0/except: must be a list, got "Globex theory". Write ["Globex theory"]',
    ],
  ],
  [
    "phrases that are names",
    yaml("account: Acme", "brand: { name: Acme, aliases: [Acme Labs], except: [x, ACME-LABS] }"),
    ['2: /brand/except/1: "ACME-LABS" is a name of the entity. Write a longer phrase.'],
  ],
  [
    "lists",
    yaml(
      `${base}competitors:`,
      "  - name: Globex",
      "    id: x",
      "  - null",
      "topics: {}",
      "prompts:",
      "  - text: ''",
      "  - topic: 5",
      "    branded: 1",
    ),
    [
      `5: /competitors/0/id: ${uuidForm}, got "x".`,
      "6: /competitors/1: must be an object, got null.",
      "7: /topics: must be an array, got an object.",
      `9: /prompts/0/text: ${textForm}`,
      "10: /prompts/1/text: is required and must be a string.",
      "10: /prompts/1/topic: must be a string, got 5.",
      "11: /prompts/1/branded: must be a boolean, got 1.",
    ],
  ],
  [
    "topics that the file does not have",
    yaml(
      `${base}topics: [{ name: Storage }]`,
      "prompts:",
      "  - text: a",
      "    topic: Storge",
      "  - { text: b, topic: Cloud }",
      "  - { text: c, topic: storage }",
    ),
    [
      '6: /prompts/0/topic: The file declares no topic "Storge". Did you mean "Storage"?',
      '7: /prompts/1/topic: The file declares no topic "Cloud". Declare it under topics.',
      '8: /prompts/2/topic: The file declares no topic "storage". Did you mean "Storage"?',
    ],
  ],
  [
    "names that two entities have",
    yaml(
      `${base}competitors:`,
      "  - name: ACME",
      "  - { name: Globex, aliases: [acme, Glob, glob] }",
      "  - name: glob",
    ),
    [
      '4: /competitors/0: "acme" is already the name of /brand.',
      '5: /competitors/1: "acme" is already the name of /brand.',
      '6: /competitors/2: "glob" is already the name of /competitors/1.',
    ],
  ],
  [
    "topics and prompts that stand twice",
    `${base}topics:\n  - name: Storage\n  - name: Storage\nprompts:\n  - text: a\n  - text: a\n`,
    [
      '5: /topics/1: "Storage" is already the name of /topics/0.',
      '8: /prompts/1: "a" is already the text of /prompts/0.',
    ],
  ],
  [
    "ids that stand twice, a derived one among them",
    yaml(
      `${base}competitors:`,
      `  - { name: B, id: ${derived.Acme.toUpperCase()} }`,
      "topics:",
      "  - { name: Storage }",
      `  - { name: Other, id: ${derived.Storage} }`,
      "prompts:",
      `  - { text: a, id: ${derived.prompt} }`,
      "  - { text: What is the best anvil? }",
    ),
    [
      `4: /competitors/0: "${derived.Acme}" is already the id of /brand.`,
      `7: /topics/1: "${derived.Storage}" is already the id of /topics/0.`,
      `10: /prompts/1: "${derived.prompt}" is already the id of /prompts/0.`,
    ],
  ],
  [
    "a field given twice in YAML",
    `${base}brand: { name: B }\n`,
    ['3: /: The field "brand" is given twice. Give each field once.'],
  ],
  [
    "a field given twice in JSON",
    '{"account":{"name":"a",\n"name":"b"},"brand":{"name":"x"}}',
    ['2: /: The field "name" is given twice. Give each field once.'],
  ],
  [
    "a tab as indentation of YAML",
    "account:\n\tname: Acme\n",
    ["2: /: YAML must not be indented by tabs. Use spaces."],
  ],
  [
    "two documents",
    `${base}---\n${base}`,
    ["4: /: A second document begins before here. A workspace file has one."],
  ],
  [
    "an alias of nothing",
    `${base}topics: *nope\n`,
    ["3: /: The alias *nope has no anchor &nope before it. Quote a text that begins with *."],
  ],
  [
    "texts that need quotes in YAML",
    `${base}prompts:\n  - text: Notion: good?\n`,
    ['4: /: The text needs quotes. Write text: "Notion: good?"'],
  ],
  [
    "a text that begins with a character that YAML keeps for itself",
    `${base}prompts:\n  - topic: Storage\n    text: "best" anvils?\n`,
    [String.raw`5: /: The text needs quotes. Write text: "\"best\" anvils?"`],
  ],
  [
    "a text that needs quotes between braces",
    `${base}prompts:\n  - { text: Notion: good? }\n`,
    [
      "4: /: The indentation is wrong, or a comma is missing, or a text needs quotes: one that " +
        "has `: ` or ` #` in it, or begins with one of the characters that YAML keeps for itself.",
    ],
  ],
  [
    "texts in the place of lists",
    yaml(
      "account: Acme",
      "brand: { name: Acme, aliases: Acme Labs, domains: acme.com }",
      "competitors: Globex",
      "topics: Storage",
    ),
    [
      '2: /brand/aliases: must be a list, got "Acme Labs". Write ["Acme Labs"]',
      '2: /brand/domains: must be a list, got "acme.com". Write ["acme.com"]',
      '3: /competitors: must be a list, got "Globex". Write ["Globex"]',
      '4: /topics: must be a list, got "Storage". Write ["Storage"]',
    ],
  ],
  [
    "short forms: their faults are where the text is",
    yaml(
      "account: ''",
      "brand: ' '",
      "competitors:",
      "  - Globex",
      "  - 5",
      `  - ${"x".repeat(501)}`,
      "prompts:",
      "  - ''",
    ),
    [
      `1: /account: ${textForm}`,
      `2: /brand: ${textForm}`,
      "5: /competitors/1: must be an object, got 5.",
      "6: /competitors/2: must have at most 500 characters, got 501.",
      `8: /prompts/0: ${textForm}`,
    ],
  ],
  [
    "fields in another case",
    `${base}competitors:\n  - { name: Globex, case_sensitive: true }\n`,
    [
      '4: /competitors/0/case_sensitive: "case_sensitive" is not a known field. ' +
        "Did you mean caseSensitive?",
    ],
  ],
  ["a list that holds itself", `${base}topics: &t [*t]\n`, [selfHolding()]],
];

function selfHolding(): string {
  return "3: /topics/0: must be an object, got an array.";
}

for (const [name, text, faults] of faulty) {
  test(`faults: ${name}`, () => assert.deepEqual(faultsOf(text), faults));
}

test("the message of all faults says where each is, and that nothing was changed", () => {
  assert.throws(() => readWorkspaceFile("{}"), {
    name: "WorkspaceFileError",
    message: [
      "The workspace file is not valid; nothing was changed.",
      "  line 1: /account: is required and must be an object.",
      "  line 1: /brand: is required and must be an object.",
    ].join("\n"),
  });
});

test("names that differ in case are two names where case counts", () => {
  const alias = "{ name: ACME, caseSensitive: true }";
  const text = `${base}competitors: [{ name: acme2, aliases: [${alias}] }]`;
  assert.deepEqual(faultsOf(text), []);
});

/** Files that cost a parser more than they have bytes, and the beginning of their only fault. */
const hostile: readonly (readonly [name: string, text: string, fault: RegExp])[] = [
  ["brackets in one another", "[".repeat(20_000), /^1: .* more than 32 deep\.$/],
  ["objects in one another", '{"a":'.repeat(20_000), /^1: .* more than 32 deep\.$/],
  ["indented lists in one another", "- ".repeat(20_000), /^1: .* more than 32 deep\.$/],
  [
    "an alias used 10,000 times",
    `${base}topics: &t []\nx: [${"*t, ".repeat(10_000)}]\n`,
    /^4: .* aliases \(\*name\) 100 times\. This is one more\.$/,
  ],
  [
    "aliases of aliases",
    [..."abcdefghijklmnopqrst"]
      .map((letter, at, all) => `${letter}: &${letter} [${`*${all[at - 1] ?? letter},`.repeat(9)}]`)
      .join("\n"),
    /^1[0-9]: .* 100 times/,
  ],
];

for (const [name, text, fault] of hostile) {
  test(`hostile files: ${name}`, () => {
    const [first, ...others] = faultsOf(text);
    assert.match(first ?? "", fault);
    assert.deepEqual(others, []);
  });
}

for (const [name, text] of faultyFiles) {
  test(`the first 20 faults of very many are named: ${name}`, () => {
    assert.equal(faultsOf(text).length, 20);
  });
}

test("a workspace of 20,000 prompts is read", () => {
  const prompts = Array.from({ length: 20_000 }, (_, number) => ({ text: `Question ${number}?` }));
  const workspace = readWorkspaceFile(JSON.stringify({ ...full, prompts }));
  assert.equal(new Set(workspace.prompts.map(({ id }) => id)).size, 20_000);
});
