import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import { brokenChunks, byteChunks } from "@sightline/test-kit/byte-chunks.ts";
import { controlOf } from "@sightline/test-kit/engines/control-of.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { changesAfter, recordingAccounts } from "../../accounts/progress-store.ts";
import type { ControlEngine } from "../../control/control-engine.ts";
import { openDataFolder } from "../../platform/data-folder.ts";
import type { AnswerStore } from "../answer-store.ts";
import { sqliteAnswerStore } from "../sqlite/sqlite-answer-store.ts";
import { decompressed } from "./decompress.ts";
import { type ImportTally, importAnswers } from "./import-answers.ts";
import { lineBytesMax } from "./lines.ts";

const accountId = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001";
const promptId = "11111111-1111-4111-8111-111111111111";
const prompts = [{ id: promptId, text: "What is the best anvil?", retired: false }];
const now = () => Date.parse("2026-10-02T00:00:00Z");
const line = { promptId, provider: "OPENAI", answeredAt: "2026-10-01T08:00:00Z", text: "Acme." };
const id = "aaaaaaaa-0000-4000-8000-000000000001";

/** What an import did, and which lines it refused. */
interface Outcome {
  readonly tally: ImportTally;
  readonly rejected: readonly string[];
  readonly progress: readonly (readonly [ImportTally, number])[];
}

class Importing {
  readonly store: AnswerStore;
  /** Knows the account. */
  readonly control: Promise<ControlEngine>;
  readonly #rejected: string[] = [];
  readonly #progress: (readonly [ImportTally, number])[] = [];

  constructor(t: TestContext) {
    const folder = temporaryFolder();
    this.store = sqliteAnswerStore(openDataFolder(join(folder, "data")), new HeldClock());
    this.control = controlOf(accountId);
    t.after(async () => {
      await this.store.close();
      await (await this.control).close();
      rmSync(folder, { recursive: true });
    });
  }

  async stream(chunks: AsyncIterable<Buffer>): Promise<Outcome> {
    this.#rejected.length = 0;
    this.#progress.length = 0;
    const tally = await importAnswers(decompressed(chunks), {
      source: "test",
      accountId,
      prompts,
      now,
      store: this.store,
      control: await this.control,
      clock: new HeldClock(),
      onRejected: async (lines) => {
        this.#rejected.push(...lines.map(({ line: number, reason }) => `${number}: ${reason}`));
      },
      onProgress: (soFar, bytes) => this.#progress.push([soFar, bytes]),
    });
    return { tally, rejected: [...this.#rejected], progress: [...this.#progress] };
  }

  lines(...lines: readonly (object | string)[]): Promise<Outcome> {
    return this.stream(byteChunks(ndjson(lines)));
  }

  recorded() {
    return this.store.read(accountId, { after: 0, limit: 100_000 });
  }
}

function ndjson(lines: readonly (object | string)[]): Buffer {
  const texts = lines.map((each) => (typeof each === "string" ? each : JSON.stringify(each)));
  return Buffer.from(texts.map((text) => `${text}\n`).join(""));
}

/** Lines that differ in their sample. */
function many(count: number): readonly object[] {
  return Array.from({ length: count }, (_, sample) => ({ ...line, sample }));
}

test("a bad line does not stop the others; each is told by its number", async (t) => {
  const importing = new Importing(t);
  const { tally, rejected } = await importing.lines(
    line,
    "{",
    "",
    "  \t",
    { ...line, sample: 1, region: "USA" },
    { ...line, sample: 2 },
    "\r",
  );
  assert.deepEqual(tally, { accepted: 2, duplicates: 0, rejected: 2, warnings: 0 });
  assert.deepEqual(
    rejected.map((each) => each.slice(0, 26)),
    ["2: The line is not JSON: E", '5: /region: "USA" is not a'],
  );
  assert.deepEqual(
    (await importing.recorded()).map(({ sample }) => sample),
    [0, 2],
  );
});

test("bytes that are white space elsewhere are no blank line", async (t) => {
  const bytes = Buffer.from([0xa0, 0x0a]);
  const { tally, rejected } = await new Importing(t).stream(byteChunks(bytes));
  assert.deepEqual(tally, { accepted: 0, duplicates: 0, rejected: 1, warnings: 0 });
  assert.deepEqual(rejected, ["1: The line is not UTF-8."]);
});

test("a byte order mark, CRLF, and a last line without its end", async (t) => {
  const [first, second] = [JSON.stringify(line), JSON.stringify({ ...line, sample: 1 })];
  const bytes = Buffer.from(`\uFEFF${first}\r\n\r\n${second}`);
  const { tally } = await new Importing(t).stream(byteChunks(bytes));
  assert.deepEqual(tally, { accepted: 2, duplicates: 0, rejected: 0, warnings: 0 });
});

test("an overlong line is refused by its number, and the lines behind it are read", async (t) => {
  const { tally, rejected } = await new Importing(t).lines(
    line,
    { ...line, sample: 1, text: "x".repeat(lineBytesMax) },
    { ...line, sample: 2 },
  );
  assert.deepEqual(tally, { accepted: 2, duplicates: 0, rejected: 1, warnings: 0 });
  assert.deepEqual(rejected, [`2: The line is longer than ${lineBytesMax} bytes.`]);
});

test("metadata of endless depth is one bad line", async (t) => {
  const deep = `${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`;
  const { tally, rejected } = await new Importing(t).lines(
    line,
    JSON.stringify({ ...line, sample: 1 }).replace(/}$/, `,"metadata":${deep}}`),
    { ...line, sample: 2 },
  );
  assert.deepEqual(tally, { accepted: 2, duplicates: 0, rejected: 1, warnings: 0 });
  assert.deepEqual(rejected, ["2: /: must be nested at most 100 levels deep."]);
});

test("lines of other contents are no duplicates: what cannot be kept is refused", async (t) => {
  const written = (metadata: string) =>
    JSON.stringify({ ...line, id }).replace(/}$/, `,"metadata":${metadata}}`);
  const { tally, rejected } = await new Importing(t).lines(
    written('{"a":null}'),
    written('{"a":1e400}'),
    written('{"a":null,"__proto__":{"b":1}}'),
    written('{"a":null,"__proto__":{"b":2}}'),
    written('{"a":1,"a":null}'),
    written('{"a":9007199254740993}'),
    written('{"a":"9007199254740993"}'),
  );
  assert.deepEqual(tally, { accepted: 1, duplicates: 0, rejected: 6, warnings: 0 });
  assert.equal(rejected.filter((reason) => reason.includes("with other content")).length, 1);
});

test("a prompt by its text gives the answer that its id gives", async (t) => {
  const { promptId: _, ...rest } = line;
  const importing = new Importing(t);
  const { tally } = await importing.lines(line, { ...rest, prompt: "What is the best anvil?" });
  assert.deepEqual(tally, { accepted: 1, duplicates: 1, rejected: 0, warnings: 0 });
});

test("citations that will not be counted are warned of once, with the answer", async (t) => {
  const importing = new Importing(t);
  const citations = [{ url: "acme.com" }, { url: "https://acme.com" }, { url: "/a" }];
  const first = await importing.lines({ ...line, citations });
  assert.deepEqual(first.tally, { accepted: 1, duplicates: 0, rejected: 0, warnings: 2 });
  const again = await importing.lines({ ...line, citations });
  assert.deepEqual(again.tally, { accepted: 0, duplicates: 1, rejected: 0, warnings: 0 });
});

test("what was recorded is counted, also when its bad lines cannot be told", async (t) => {
  let tally: ImportTally | null = null;
  const { store, control } = new Importing(t);
  const importing = importAnswers(byteChunks(ndjson([line, "{"])), {
    source: "test",
    accountId,
    prompts,
    now,
    store,
    control: await control,
    clock: new HeldClock(),
    onProgress: (soFar) => {
      tally = soFar;
    },
    onRejected: () => Promise.reject(new Error("read-only")),
  });
  await assert.rejects(importing, /read-only/);
  assert.deepEqual(tally, { accepted: 1, duplicates: 0, rejected: 1, warnings: 0 });
});

test("control is told of an import while it goes on, and how far the record goes", async (t) => {
  const importing = new Importing(t);
  const control = await importing.control;
  async function* chunks() {
    yield ndjson(many(700)); // the first commit is of 500
    assert.deepEqual(await recordingAccounts(control), [accountId]);
    yield ndjson([{ ...line, sample: 700 }]);
  }
  await importing.stream(chunks());
  assert.deepEqual(await recordingAccounts(control), []);
  const before = await changesAfter(control, 0);
  const [progress] = before.accounts;
  assert.deepEqual(progress?.recorded, await importing.store.end(accountId));
  assert.equal(progress?.recorded?.sequence, 701);

  await importing.lines({ ...line, sample: 700 });
  assert.deepEqual(
    (await changesAfter(control, before.cursor)).accounts,
    [],
    "a duplicate: no change",
  );
  await assert.rejects(
    importing.stream(brokenChunks(ndjson(many(600)), new Error("cable pulled"))),
    /cable pulled/,
  );
  assert.deepEqual(await recordingAccounts(control), [], "all that it recorded is noted");
  const killed = importAnswers(byteChunks(ndjson([line, { ...line, sample: 701 }])), {
    source: "test",
    accountId,
    prompts,
    now,
    control,
    clock: new HeldClock(),
    store: { ...importing.store, record: () => Promise.reject(new Error("killed")) },
    onProgress: () => undefined,
    onRejected: async () => undefined,
  });
  await assert.rejects(killed, /killed/);
  assert.deepEqual(await recordingAccounts(control), [accountId]);
});

const same: readonly (readonly [name: string, line: object])[] = [
  ["the same line", { ...line }],
  ["an instant written with an offset", { ...line, answeredAt: "2026-10-01T10:00:00+02:00" }],
  ["an instant with a fraction of zeros", { ...line, answeredAt: "2026-10-01T08:00:00.0000Z" }],
  ["an instant in lower case", { ...line, answeredAt: "2026-10-01t08:00:00z" }],
  ["defaults written out", { ...line, outcome: "answered", sample: 0, citations: [] }],
  ["nulls written out", { ...line, region: null, model: null, surface: null, metadata: null }],
  ["keys in another order", Object.fromEntries(Object.entries(line).toReversed())],
];

for (const [name, again] of same) {
  test(`a duplicate is skipped: ${name}`, async (t) => {
    const importing = new Importing(t);
    const both = await importing.lines(line, again);
    assert.deepEqual(
      both.tally,
      { accepted: 1, duplicates: 1, rejected: 0, warnings: 0 },
      "in one batch",
    );
    const later = await importing.lines(again);
    assert.deepEqual(
      later.tally,
      { accepted: 0, duplicates: 1, rejected: 0, warnings: 0 },
      "in a later import",
    );
    assert.equal((await importing.recorded()).length, 1);
  });
}

test("the same region in another case is a duplicate, metadata in another order too", async (t) => {
  const importing = new Importing(t);
  const { tally } = await importing.lines(
    { ...line, region: "us", metadata: { a: 1, b: { c: 2, d: 3 } } },
    { ...line, region: "US", metadata: { b: { d: 3, c: 2 }, a: 1 } },
  );
  assert.deepEqual(tally, { accepted: 1, duplicates: 1, rejected: 0, warnings: 0 });
});

test("other content under the same id is a conflict, and what was recorded stays", async (t) => {
  const importing = new Importing(t);
  const reason = `An answer with the id ${id} is already recorded with other content.`;
  const first = await importing.lines({ ...line, id }, { ...line, id, text: "Globex." });
  assert.deepEqual(first.tally, { accepted: 1, duplicates: 0, rejected: 1, warnings: 0 });
  assert.deepEqual(first.rejected, [`2: ${reason}`], "in one batch");
  const later = await importing.lines({ ...line, id: id.toUpperCase(), sample: 1 });
  assert.deepEqual(later.tally, { accepted: 0, duplicates: 0, rejected: 1, warnings: 0 });
  assert.deepEqual(later.rejected, [`1: ${reason}`], "in a later import");
  assert.deepEqual(
    (await importing.recorded()).map(({ text }) => text),
    ["Acme."],
  );
});

test("a conflict of ids that were derived: the same question, another answer", async (t) => {
  const importing = new Importing(t);
  const { tally } = await importing.lines(line, { ...line, text: "Globex." });
  assert.deepEqual(tally, { accepted: 1, duplicates: 0, rejected: 1, warnings: 0 });
});

test("the same content under another id is another answer", async (t) => {
  const { tally } = await new Importing(t).lines(line, { ...line, id });
  assert.deepEqual(tally, { accepted: 2, duplicates: 0, rejected: 0, warnings: 0 });
});

test("progress is told after each commit, with the bytes that are done", async (t) => {
  const lines = many(10_000);
  const importing = new Importing(t);
  const { progress } = await importing.lines(...lines);
  const upTo = (count: number) =>
    [
      { accepted: count, duplicates: 0, rejected: 0, warnings: 0 },
      ndjson(lines.slice(0, count)).length,
    ] as const;
  assert.deepEqual(progress, [500, 1_500, 3_500, 7_500, 10_000].map(upTo));
});

test("blank lines between answers do not make a batch larger", async (t) => {
  const blank = Buffer.alloc(1024 * 1024, "\n");
  async function* chunks() {
    for (const each of many(40)) yield Buffer.concat([ndjson([each]), blank]);
  }
  const { progress } = await new Importing(t).stream(chunks());
  assert.deepEqual(
    progress.map(([{ accepted }]) => accepted),
    [17, 33, 40],
  );
});

test("broken off: what was reported stays, and doing it again goes on from there", async (t) => {
  const importing = new Importing(t);
  const bytes = ndjson(many(10_000));
  let reported = 0;
  const broken = importAnswers(brokenChunks(bytes, new Error("cable pulled")), {
    source: "test",
    accountId,
    prompts,
    now,
    store: importing.store,
    control: await importing.control,
    clock: new HeldClock(),
    onRejected: async () => undefined,
    onProgress: ({ accepted }) => {
      reported = accepted;
    },
  });
  await assert.rejects(broken, /cable pulled/);
  assert.equal(reported, 7_500);
  assert.equal((await importing.recorded()).length, 7_500);
  const again = await importing.stream(byteChunks(bytes));
  assert.deepEqual(again.tally, { accepted: 2_500, duplicates: 7_500, rejected: 0, warnings: 0 });
});

test("a gzip that is cut off: what was accepted stays, the whole one goes on", async (t) => {
  const importing = new Importing(t);
  // Metadata that does not shrink: otherwise the cut could fall behind all of the lines.
  const lines = many(12_000).map((each, index) => {
    return { ...each, metadata: { noise: String(Math.sin(index)) } };
  });
  const packed = gzipSync(ndjson(lines));
  const cut = packed.subarray(0, Math.floor(packed.length * 0.8));
  await assert.rejects(() => importing.stream(byteChunks(cut, 1_000)), /unexpected end of file/);
  const kept = (await importing.recorded()).length;
  assert.equal(kept, 7_500);
  const again = await importing.stream(byteChunks(packed));
  assert.deepEqual(again.tally, { accepted: 4_500, duplicates: kept, rejected: 0, warnings: 0 });
  const once = await importing.stream(byteChunks(packed));
  assert.deepEqual(once.tally, { accepted: 0, duplicates: 12_000, rejected: 0, warnings: 0 });
});
