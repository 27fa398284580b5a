import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { askFrozenService } from "../../frozen-service.ts";
import { boardQuestions } from "./board.ts";
import { type AskFrozen, type FrozenArchive, freeze } from "./freeze.ts";
import { verifyArchive } from "./verify.ts";

const accountId = "7a9fe110-de30-4000-8000-0000000000f1";
const day = (number: number) => new Date(Date.UTC(2026, 0, 5 + number)).toISOString();
const timeRange = { from: day(8), to: day(16) };
const compare = { from: day(0), to: day(8) };
const onProgress = () => undefined;
const script = fileURLToPath(new URL("../../../../../docs/verify/verify.py", import.meta.url));

const workspace = {
  account: { id: accountId, name: "Tarnfell" },
  brand: {
    name: "Tarnfell",
    aliases: ["Tarnfell Tents"],
    domains: ["tarnfell.example", "shop.example/tarnfell"],
    except: ["Tarnfell Moor"],
  },
  competitors: [
    { name: "Höhenbrandt", aliases: ["H2"], domains: ["hoehenbrandt.example"] },
    { name: "Osier", caseSensitive: true, domains: [] },
  ],
  topics: [{ name: "Tents" }, { name: "Boots" }],
  prompts: Array.from({ length: 8 }, (_, prompt) => ({
    id: idOf(prompt),
    text: `Which of the ${prompt}?`,
    branded: false,
    ...(prompt < 6 ? { topic: prompt < 3 ? "Tents" : "Boots" } : {}),
  })),
};

/** What the plain rule of the script has to know of texts. */
const texts = [
  "**Tarnfell Tents** are light, and höhenbrandt&nbsp;is strong. Osier is cheap.",
  "See [Höhenbrandt's boots](https://hoehenbrandt.example/tarnfell), www.tarnfell.example, H2.",
  "1. Hohenbrandt\n2. **Tarn**fell: on Tarnfell Moor, an osier grows. ![Osier](osier.png)",
  "Nobody of note: TARNFELL-tents, h2 and Osiers ([Tarnfell](https://tarnfell.example/a)).",
  "Nothing at all.",
];
const citations = [
  "https://www.tarnfell.example/a/?utm_source=x&b=2&a=1#top",
  "http://tarnfell.example/a?a=1&b=2",
  "https://user.github.io/page",
  "https://shop.example/tarnfell/tents",
  "https://shop.example/tarnfellow",
  "https://blog.hoehenbrandt.example/",
];

function idOf(prompt: number): string {
  return `11111111-0000-4000-8000-${String(prompt).padStart(12, "0")}`;
}

/** Sixteen days of answers by three providers, one of which changes its model in between. */
function answersOf(): object[] {
  const providers = ["OPENAI", "GEMINI", "GROK"] as const;
  return Array.from({ length: 16 * 8 * 3 }, (_, number) => {
    const [prompt, provider, on] = [
      number % 8,
      Math.floor(number / 8) % 3,
      Math.floor(number / 24),
    ];
    const chosen = (number * 7 + prompt * prompt + (on < 8 ? 0 : prompt % 3)) % texts.length;
    return {
      promptId: idOf(prompt),
      provider: providers[provider],
      ...(prompt % 2 === 0 ? { region: "DE" } : {}),
      answeredAt: day(on).replace("T00", "T08"),
      model: provider === 0 && on >= 8 ? "second" : "first",
      ...(number % 19 === 0 ? { outcome: "absent" } : { text: texts[chosen] }),
      citations: citations
        .filter((_, place) => (number + place * prompt + on) % 4 === 0)
        .map((url, place) => ({ url, cited: place < 3 })),
    };
  });
}

let service: TestService;
let folder: string;
let archive: string;
let frozen: FrozenArchive;

before(async () => {
  service = await TestService.start();
  folder = temporaryFolder();
  archive = join(folder, "january.tar");
  await service.apply(workspace);
  await service.import(accountId, answersOf());
  frozen = await freezeTo(archive, askFrozenService);
});
after(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

function freezeTo(file: string, ask: AskFrozen): Promise<FrozenArchive> {
  return freeze(service.services, { accountId, file, timeRange, compare, ask, onProgress });
}

/** Runs the script; null where there is no Python. */
function checkedByScript(t: TestContext, file: string) {
  const { error, status, stdout, stderr } = spawnSync("python3", [script, file]);
  if (error === undefined) return { status, text: `${stdout}${stderr}` };
  const say = "NOT TESTED: docs/verify/verify.py, since python3 is missing";
  if (process.env["CI"] === "true") throw new Error(say);
  t.diagnostic(say);
  return null;
}

test("the frozen replies are those of the service, byte by byte", async () => {
  const token = await service.session(accountId);
  for (const { path } of frozen.manifest.files) {
    if (!path.endsWith(".request.json")) continue;
    const asked = JSON.parse(contentOf(archive, path).toString()) as { path: string; body: object };
    const reply = await service.post(asked.path, { token, body: asked.body });
    assert.equal(reply.status, 200, reply.body);
    const again = contentOf(archive, path.replace(".request.", ".reply.")).toString();
    assert.equal(reply.body, again, path);
  }
});

test("both programs compute every number again, and agree", async (t) => {
  const found = await verifyArchive(archive, { ask: askFrozenService, onProgress });
  assert.deepEqual([found.faults, found.differences, found.versions], [[], [], []]);
  assert.equal(found.ok, true);
  assert.equal(found.recomputed.replies, 12);
  assert.equal(found.thumbprint, frozen.thumbprint);
  assert.equal(found.thumbprint, service.services.signingKeys.current.kid);
  const jws = contentOf(archive, "manifest.jws").toString();
  const reply = await service.post("/v1/insights/summary", { token: jws, body: {} });
  assert.equal(reply.status, 401, "a signed manifest is a session to nobody");
  const script = checkedByScript(t, archive);
  if (script === null) return;
  assert.equal(script.status, 0, script.text);
  assert.match(script.text, /Every number agrees\.\n$/);
  assert.match(script.text, new RegExp(`Signed with the key ${frozen.thumbprint}`));
  const summary = contentOf(archive, "board/05-summary-by-none.reply.json").toString();
  assert.match(summary, /"verdict":"discontinuous","flags":\[\],"continuing":\{/);
});

test("a byte that is flipped is named, wherever it is, by both programs", async (t) => {
  const bytes = readFileSync(archive);
  const damaged = join(folder, "damaged.tar");
  const files = placesOf(bytes);
  const ofArchive = files
    .slice(0, 3)
    .flatMap(({ at, size }) => [at + 3, at + 130, at + 512 + size]);
  const places = [
    // The last byte of the signature has bits of base64url that say nothing.
    ...files.slice(0, 9).map(({ path, at, size }) => ({ file: path, at: at + 511 + size })),
    ...[...ofArchive, bytes.length - 5].map((at) => ({ file: "the archive", at })),
  ];
  for (const [number, { file, at }] of places.entries()) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ (number % 2 === 0 ? 0x80 : 1); // also not UTF-8
    writeFileSync(damaged, changed);
    const found = await verifyArchive(damaged, { ask: askFrozenService, onProgress });
    assert.equal(found.ok, false);
    assert.equal(found.faults[0]?.file, file, `byte ${at}: ${JSON.stringify(found.faults)}`);
    if (number > 2 && number % 6 !== 0) continue; // a process each
    const script = checkedByScript(t, damaged);
    if (script === null) continue;
    assert.equal(script.status, 1);
    assert.match(script.text, new RegExp(`^${file}: `, "m"), `byte ${at}`);
  }
  writeFileSync(damaged, Buffer.alloc(2_000, 0xff));
  const { faults } = await verifyArchive(damaged, { ask: askFrozenService, onProgress });
  assert.match(faults[0]?.fault ?? "", /manifest\.json is damaged, or it is not an archive/);
  writeFileSync(damaged, bytes.subarray(0, bytes.length - 600));
  const cut = await verifyArchive(damaged, { ask: askFrozenService, onProgress });
  assert.deepEqual(cut.faults, [{ file: "the archive", fault: "it ends too early" }]);
});

test("a number that was forged before it was signed is named", async (t) => {
  const forged = join(folder, "forged.tar");
  await freezeTo(forged, async function* () {
    for (const { path } of placesOf(readFileSync(archive))) {
      if (!path.endsWith(".reply.json")) continue;
      const text = contentOf(archive, path).toString();
      yield Buffer.from(
        path.includes("/05-") ? text.replace(/"value":0\.\d/, '"value":0.9') : text,
      );
    }
  });
  const found = await verifyArchive(forged, { ask: askFrozenService, onProgress });
  assert.deepEqual(
    found.differences.map(({ file, at }) => [file, at]),
    [["board/05-summary-by-none.reply.json", "/groups/0/informative/value"]],
  );
  assert.equal(found.ok, false);
  const script = checkedByScript(t, forged);
  if (script === null) return;
  assert.equal(script.status, 1);
  assert.match(script.text, /board\/05-summary-by-none\/groups\/None\/informative\/value: frozen/);
});

test("a freeze that breaks off leaves nothing behind", async () => {
  const file = join(folder, "broken.tar");
  const names = readdirSync(folder);
  const failing: AskFrozen = async function* () {
    yield Buffer.from("{}");
    throw new Error("broken off");
  };
  await assert.rejects(freezeTo(file, failing), /broken off/);
  assert.deepEqual(readdirSync(folder), names);
});

test("answers of retired prompts are left out; a removed text is refused", async () => {
  const { answers } = service.services;
  const kept = { ...workspace, prompts: workspace.prompts.slice(1) };
  await service.apply(kept);
  const nothingAsked: AskFrozen = async function* () {};
  const { manifest } = await freezeTo(join(folder, "retired.tar"), nothingAsked);
  assert.deepEqual(manifest.answers, { frozen: 336, ofRetiredPrompts: 48 });
  const range = { fromMs: 0, beforeMs: Date.parse(day(2)), limit: 5 };
  await answers.removeTexts(accountId, { ...range, mentionedIn: () => [] });
  await assert.rejects(freezeTo(join(folder, "removed.tar"), nothingAsked), /were removed/);
});

test("the script says what its plain rule does not cover, and judges the rest", async (t) => {
  const other = { name: "完美", domains: [] };
  await service.apply({ ...workspace, competitors: [...workspace.competitors, other] });
  const hidden = { url: "https://www.google.com/url?q=https://tarnfell.example/a" };
  const answeredAt = day(9).replace("T00", "T09");
  const asked = { promptId: idOf(2), provider: "GROK", answeredAt, text: texts[0] };
  await service.import(accountId, [{ ...asked, citations: [hidden] }]);
  const file = join(folder, "other.tar");
  const before = { from: day(4), to: day(8) };
  const ask = askFrozenService;
  await freeze(service.services, { accountId, file, timeRange, compare: before, ask, onProgress });
  const script = checkedByScript(t, file);
  if (script === null) return;
  assert.equal(script.status, 0, script.text);
  assert.match(script.text, /^NOT JUDGED: the name 完美, in a script/m);
  assert.match(script.text, /^NOT JUDGED: 1 citations, such as https:\/\/www\.google\.com/m);
  assert.match(script.text, /^09-sources-by-domain +not judged$/m);
  assert.match(script.text, /Every number that was judged agrees\.\n$/);
});

test("a large board lists as many entities of each prompt as a summary may have", () => {
  const entity = (number: number) => {
    const kind = number === 0 ? ("brand" as const) : ("competitor" as const);
    return { id: idOf(number), kind, name: `${number}`, caseSensitive: false };
  };
  const entities = Array.from({ length: 20 }, (_, number) => {
    return { ...entity(number), aliases: [], domains: [] };
  });
  const prompts = Array.from({ length: 3_000 }, (_, prompt) => {
    const flags = { topicId: null, branded: false, paused: false };
    return { id: idOf(prompt), text: `${prompt}`, ...flags };
  });
  const of = { accountId, accountName: "Tarnfell", entities, topics: [], prompts };
  const question = boardQuestions(of, timeRange, compare).get("summary-by-prompt");
  assert.deepEqual(question?.body, {
    groupBy: "prompt",
    portrayal: false,
    filters: { timeRange },
    compare: { filters: { timeRange: compare } },
    entityIds: [0, 1, 10, 11].map(idOf),
  });
});

/** Where each file of an archive begins, with its header. */
function placesOf(bytes: Buffer) {
  const places: { readonly path: string; readonly at: number; readonly size: number }[] = [];
  for (let at = 0; bytes[at] !== 0; ) {
    const path = bytes.toString("latin1", at, bytes.indexOf(0, at));
    const size = Number.parseInt(bytes.toString("latin1", at + 124, at + 135), 8);
    places.push({ path, at, size });
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return places;
}

function contentOf(file: string, path: string): Buffer {
  const bytes = readFileSync(file);
  const found = placesOf(bytes).find((each) => each.path === path);
  assert.ok(found, path);
  return bytes.subarray(found.at + 512, found.at + 512 + found.size);
}
