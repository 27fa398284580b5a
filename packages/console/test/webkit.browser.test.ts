import assert from "node:assert/strict";
import { test } from "node:test";
import { firstRunCode } from "@sightline/server/first-run-link";
import { workbook } from "@sightline/test-kit/workbook-file.ts";
import { sharedDemo, startConsole } from "./demo-service.ts";
import { startWebkit, type WebkitWindow } from "./webkit.ts";

// What cannot be seen in Chromium: the console in the engine of Safari.

const pages = [
  ...["overview", "sources", "sources&_tab=gaps", "prompts"],
  ...["overview&period=last-month&_moved=domain", "overview&_by=topic&_voice=1"],
  ...["brand", "prompts", "collection", "imports", "keys", "hooks", "audit", "service"].map(
    (section) => `setup&_tab=${section}`,
  ),
];
/** A page, and the button that opens a dialog; empty: the address does. */
const dialogs = [
  ["?page=setup&_tab=brand", "Add competitor"],
  ["?page=setup&_tab=prompts", "Add prompts"],
  ["?page=setup&_tab=keys", "Create key"],
  ["?page=setup&_tab=hooks", "Add webhook"],
  ["?page=setup&_tab=collection&_ask=now", ""],
  ["?page=overview&evidence=mentioned", ""],
  ["?why=mentions~by.provider", ""],
  ["?plan=mentions", ""],
] as const;

const watched = `
  window.faults ??= [];
  const note = (text) => window.faults.push(String(text));
  addEventListener("error", ({ message }) => note(message));
  addEventListener("unhandledrejection", ({ reason }) => note(reason));
  addEventListener("securitypolicyviolation", ({ violatedDirective }) => note(violatedDirective));
  const becomes = async (condition) => {
    const end = Date.now() + 50_000;
    while (!condition() && Date.now() < end) await new Promise((tick) => setTimeout(tick, 50));
    if (!condition()) throw new Error(condition + " is not so: " + document.body.innerText);
  };
  const busy = () => document.querySelector("[aria-busy=true]") !== null;
  const pressed = async (begin) => {
    const named = ({ innerText }) => innerText.trim().startsWith(begin);
    const button = () => [...document.querySelectorAll("button:enabled")].find(named);
    await becomes(() => button() !== undefined);
    button().click();
  };
  const settled = () => becomes(() => document.querySelector("header nav") !== null && !busy());`;

const aside = "document.documentElement.scrollWidth - innerWidth";

interface SeenPage {
  readonly faults: readonly string[];
  /** How far it scrolls sideways, in pixels. */
  readonly aside: number;
}

function lookAt(webkit: WebkitWindow): Promise<SeenPage> {
  return webkit.run(`${watched}
    await becomes(() => document.querySelector("main")?.innerText.length > 100 && !busy());
    return { faults, aside: ${aside} };`);
}

/** Heights in pixels. */
interface SeenDialog {
  readonly faults: readonly string[];
  readonly shown: number;
  readonly whole: number;
  readonly window: number;
}

function openDialog(webkit: WebkitWindow, name: string): Promise<SeenDialog> {
  return webkit.run(`${watched}
    await settled();
    const named = ({ innerText }) => innerText.trim() === ${JSON.stringify(name)};
    const button = () => [...document.querySelectorAll("button:enabled")].find(named);
    if (${name !== ""}) await becomes(() => button() !== undefined);
    button()?.click();
    const content = () => document.querySelector("dialog[open] [role=region]");
    await becomes(() => content() !== null && !busy());
    const { clientHeight, scrollHeight } = content();
    return { faults, shown: clientHeight, whole: scrollHeight, window: innerHeight };`);
}

/** The cells that the dialog of a dropped workbook shows: a worker unpacked and read it. */
function dropWorkbook(webkit: WebkitWindow): Promise<SeenCells> {
  const bytes = workbook([
    {
      name: "A",
      rows: [
        ["Prompt", "Answer"],
        ["Größe?", "a & b"],
      ],
    },
  ]);
  const content = Buffer.from(bytes).toString("base64");
  return webkit.run(`${watched}
    await settled();
    const content = Uint8Array.from(atob("${content}"), (each) => each.charCodeAt(0));
    const files = new DataTransfer();
    files.items.add(new File([content], "a.xlsx"));
    await becomes(() => document.querySelector("input[type=file]") !== null);
    const input = document.querySelector("input[type=file]");
    input.files = files.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
    const cells = () => [...document.querySelectorAll("dialog[open] td li")];
    await becomes(() => cells().length > 0 && !busy());
    return { faults, cells: cells().map(({ innerText }) => innerText) };`);
}

/** An answer of the open evidence: its marks, and what is left of Markdown's signs. */
function openAnswer(webkit: WebkitWindow): Promise<unknown> {
  return webkit.run(`${watched}
    await becomes(() => document.querySelector("dialog [data-answer]") !== null);
    document.querySelector("dialog [data-answer]").click();
    await becomes(() => document.querySelector("article mark") !== null && !busy());
    const { innerText } = document.querySelector("article");
    return { faults, signs: innerText.match(/[*][*]|^#/gm), aside: ${aside} };`);
}

/** The saved views: whether they are inside the window, and the name that is typed there. */
async function openViews(webkit: WebkitWindow): Promise<unknown> {
  await webkit.run(`${watched} await settled(); await pressed("Views");
    await becomes(() => document.querySelector(":popover-open input[name=name]") !== null);`);
  await webkit.type(":popover-open input[name=name]", "Germany");
  return webkit.run(`${watched}
    const views = document.querySelector(":popover-open");
    const { left, right, top, bottom } = views.getBoundingClientRect();
    const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    return { faults, isInside, typed: views.querySelector("input[name=name]").value };`);
}

/** From the link of an empty service to the pages of its account. */
async function firstRun(webkit: WebkitWindow, link: string): Promise<unknown> {
  await webkit.go(link);
  const hasField = (field: string) =>
    webkit.run(`${watched} await becomes(() => document.querySelector("${field}") !== null);`);
  await hasField("[autocomplete=organization]");
  await webkit.type("[autocomplete=organization]", "Acme");
  await webkit.run(`${watched} await pressed("Next");
    await becomes(() => document.querySelector("h1").innerText === "What do buyers ask?");`);
  await webkit.type("textarea", "Which anvil?\ue007Which hammer?");
  return webkit.run(`${watched} await pressed("Create with 2 prompts");
    await becomes(() => document.querySelector("[data-secret]") !== null);
    await pressed("I have kept it");
    await settled();
    return { faults, aside: ${aside}, hash: location.hash };`);
}

interface SeenCells {
  readonly faults: readonly string[];
  readonly cells: readonly string[];
}

test("the console in WebKit: pages without a fault, dialogs as high as their forms", async (t) => {
  const webkit = await startWebkit(t);
  if (webkit === null) return;
  const { origin, key } = await sharedDemo();
  await webkit.go(origin);
  await webkit.run(`${watched} await becomes(() => document.querySelector("input") !== null);`);
  await webkit.type("input", `${key}\ue007`);
  await webkit.run(`${watched} await settled();`);
  for (const page of pages) {
    await webkit.go(`${origin}/?page=${page}`);
    const { faults, aside } = await lookAt(webkit);
    assert.deepEqual([faults, aside], [[], 0], page);
  }
  for (const [search, name] of dialogs) {
    await webkit.go(`${origin}/${search}`);
    const { faults, shown, whole, window } = await openDialog(webkit, name);
    assert.deepEqual(faults, [], search);
    const isWhole = shown >= whole || shown > window / 2;
    assert.ok(isWhole && shown > 100, `${search}: ${shown} of ${whole} pixels are shown`);
  }
  await webkit.go(`${origin}/?page=setup&_tab=imports`);
  assert.deepEqual(await dropWorkbook(webkit), { faults: [], cells: ["Größe?", "a & b"] });
  await webkit.go(`${origin}/?evidence=mentioned`);
  assert.deepEqual(await openAnswer(webkit), { faults: [], signs: null, aside: 0 });
  await webkit.go(`${origin}/`);
  assert.deepEqual(await openViews(webkit), { faults: [], isInside: true, typed: "Germany" });
  const { service } = await startConsole(); // which has no account
  t.after(() => service.close());
  const empty = await service.listen();
  const code = firstRunCode(service.services.keyRing, service.clock.now());
  const begun = await firstRun(webkit, `${empty}/#first-run=${code}`);
  assert.deepEqual(begun, { faults: [], aside: 0, hash: "" });
});
