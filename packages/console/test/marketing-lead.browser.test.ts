import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { startBrowser } from "@sightline/test-kit/browser.ts";
import type { Browser } from "playwright-core";
import { type DemoService, sharedDemo } from "./demo-service.ts";
import { doTask, Person, type PersonTask, seenText } from "./person.ts";
import { settled, type Visitor, violationsOf, visit } from "./visitor.ts";

// What a marketing lead wants to know, who has a link and nothing else. Each task is done as she
// does it, from the overview, in as many steps as are written next to it.

interface Stage {
  readonly browser: Browser;
  readonly demo: DemoService;
  /** The link, which signs in once. */
  readonly link: string;
  /** A key that her boss has. */
  readonly key: string;
  readonly visitor: Visitor;
}

const tiles = {
  Mentions: /An answer mentions an entity when one of its names stands in its prose/,
  Visibility: /An entity is visible in an answer that mentions or cites it/,
  Citations: /An answer cites an entity when it cites a page of one of its domains/,
  Rank: /Its mean rank there, its place in the order of first mention, is 1\.\d+/,
} as const;

const tasks: Readonly<Record<string, PersonTask<Stage>>> = {
  "see something": {
    steps: 1,
    run: async (person, { link }) => {
      await person.open(link);
      await person.sees("heading", /^Overview\b/);
      await person.sees("button", /^\d+\.\d%: show the answers behind Mentions/);
      await person.sees("button", /^\d\.\d+: show the answers behind Rank/);
      await settled(person.page);
    },
  },

  "what do the four numbers mean?": {
    steps: 8,
    run: async (person) => {
      for (const [tile, meaning] of Object.entries(tiles)) {
        await person.pressAndWait("button", new RegExp(`show the answers behind ${tile}`));
        const drawer = await person.sees("dialog", /Tarnfell/);
        await person.reads(meaning, drawer);
        await person.key("Escape");
      }
    },
  },

  "what moved since last month?": {
    steps: 2,
    run: async (person) => {
      await lastMonth(person);
      await person.sees("button", "Last month 1 Oct – 31 Oct 2026");
      await person.sees("button", "Compare 1 Sept – 30 Sept 2026");
      const brand = await person.sees("list", "The brand's values");
      const said = /clear change|too few prompts/;
      assert.equal(await brand.getByText(said).count(), 4, "each value says what its change is");
      const steps = await person.sees("list", "From the value before to the value now");
      assert.ok((await steps.getByRole("listitem").count()) > 2);
    },
  },

  "why did it move?": {
    steps: 6,
    run: async (person) => {
      await lastMonth(person);
      for (const [tab, table] of [
        ["Prompts", "Contributions by prompt"],
        ["Topics", "Contributions by topic"],
        ["Providers", "Contributions by provider"],
        ["Domains", "Contributions by domain"],
        ["Competitors", "Changes of competitors"],
      ] as const) {
        // The first is shown already.
        if (tab !== "Prompts") await person.pressAndWait("tab", tab);
        const rows = (await person.sees("table", table)).locator("tbody tr");
        assert.ok((await rows.count()) > 1, table);
      }
    },
  },

  "which answers are behind it, now and before?": {
    steps: 9,
    run: async (person) => {
      await lastMonth(person);
      await person.pressAndWait("tab", "Topics");
      for (const side of ["Now", "Before"]) {
        const moved = await person.sees("table", "Contributions by topic");
        await person.pressAndWait("button", new RegExp(`answers behind ${side}, `), moved);
        const drawer = await person.sees("dialog", /^Tarnfell was mentioned in \d+ of \d+ answers/);
        await person.reads(
          side === "Now" ? "1 Oct – 31 Oct 2026" : "1 Sept – 30 Sept 2026",
          drawer,
        );
        await person.pressAndWait("button", /\d \w+ 2026, \d\d:\d\d/, drawer);
        const answer = await person.sees("article", "Answer");
        assert.doesNotMatch(await seenText(answer), /\*\*|^#/m);
        assert.ok((await answer.locator("mark").count()) > 0);
        await person.key("Escape");
        await settled(person.page);
      }
    },
  },

  "which domains cite rivals, and not us?": {
    steps: 2,
    run: async (person) => {
      await person.pressAndWait("link", "Sources");
      await person.pressAndWait("tab", "Gaps");
      await person.reads(/where a competitor is visible and Tarnfell is not than the reverse/);
      const gaps = await person.sees("table", "Gaps by domains");
      await person.sees("columnheader", /^Opportunity\b/, gaps);
      const first = gaps.locator("tbody tr").first();
      assert.match((await first.textContent()) ?? "", /\.example.*\d+ against \d+.*\d%$/);
    },
  },

  "share it with the boss, who has a key": {
    steps: 5,
    run: async (person, { browser, demo, key }) => {
      await lastMonth(person);
      await chatGpt(person);
      const shown = await valuesOf(person);
      const other = await visit(browser, demo);
      const boss = new Person(other.page);
      await boss.open(person.page.url());
      await boss.sees("heading", "Sign in to see this page");
      assert.doesNotMatch(await seenText(boss.page.locator("main")), /sightline \w+/);
      assert.deepEqual(await violationsOf(boss.page), []);
      await boss.write("Key", key);
      await boss.press("button", "Sign in");
      await boss.sees("button", "Provider ChatGPT");
      await settled(boss.page);
      assert.equal(await valuesOf(boss), shown);
      assert.equal(boss.takeSteps(), 3);
      await other.page.context().close();
    },
  },

  "a picture of it, and the figures for a spreadsheet": {
    steps: 9,
    run: async (person) => {
      await lastMonth(person);
      await chatGpt(person);
      await person.press("button", "Export and copy");
      const picture = await person.save("menuitem", "Save as PNG");
      const name = "tarnfell-mentions-2026-10-01_2026-10-31-chatgpt";
      assert.equal(picture.suggestedFilename(), `${name}.png`);
      await person.press("button", "Export and copy");
      const file = await person.save("menuitem", /^Save as CSV for Excel/);
      assert.equal(file.suggestedFilename(), `${name}-excel.csv`);
      const lines = readFileSync(await file.path(), "utf8").split("\r\n");
      assert.match(
        lines.join("\n"),
        /31 Oct 2026 \(UTC\)\nAccount: Tarnfell\nFilters: ChatGPT\nn = \d/,
      );
      assert.match(lines.at(-2) ?? "", /;0,\d+;/);
    },
  },

  "print it": {
    steps: 5,
    run: async (person) => {
      await lastMonth(person);
      await chatGpt(person);
      const { page } = person;
      await page.emulateMedia({ media: "print" }); // as Ctrl P does, which no test can press
      const paper = await seenText(page.locator("body"));
      await page.emulateMedia({ media: "screen" });
      for (const part of ["Sightline · Tarnfell", "1 Oct – 31 Oct 2026", "ChatGPT"]) {
        assert.ok(paper.includes(part), part);
      }
      assert.doesNotMatch(paper, /\nAll\n|Clear filters|Ctrl K/);
    },
  },
};

/** Two steps. */
async function lastMonth(person: Person): Promise<void> {
  await person.press("button", /^Last 12 weeks/);
  await person.pressAndWait("radio", "Last month");
}

/** Three steps. */
async function chatGpt(person: Person): Promise<void> {
  await person.press("button", /^Provider/);
  await person.press("checkbox", "ChatGPT");
  await person.key("Escape");
  await settled(person.page);
}

const valuesOf = async (person: Person): Promise<string> =>
  seenText(await person.sees("list", "The brand's values"));

/** On a phone of 390 px, with a finger. */
const onPhone: Readonly<Record<string, PersonTask<Stage>>> = {
  "see something": { steps: 1, run: async (...all) => tasks["see something"]?.run(...all) },

  "what moved since last month, and why?": {
    steps: 3,
    run: async (person) => {
      await lastMonth(person);
      await person.sees("list", "From the value before to the value now");
      await person.pressAndWait("tab", "Providers");
      await person.sees("table", "Contributions by provider");
    },
  },

  "what was it in a week?": {
    steps: 2,
    run: async (person, { visitor: { page } }) => {
      const chart = page.locator("svg[data-chart]");
      await chart.scrollIntoViewIfNeeded();
      const { width, height } = (await chart.boundingBox()) ?? { width: 0, height: 0 };
      const tap = () => person.tapAt(chart, { x: width / 2, y: height / 2 });
      await tap();
      await person.reads(/^Week of \d+ \w+/, page.locator("[data-card]"));
      assert.equal(await page.getByRole("dialog").count(), 0);
      await tap(); // the second opens the answers of the week
      await person.sees("dialog", /was mentioned in/);
    },
  },

  "which answers are behind it?": {
    steps: 2,
    run: async (person) => {
      await person.pressAndWait("button", /show the answers behind Mentions/);
      const drawer = await person.sees("dialog", /^Tarnfell was mentioned/);
      await person.pressAndWait("button", /\d \w+ 2026, \d\d:\d\d/, drawer);
      await person.sees("article", "Answer");
    },
  },

  "which domains cite rivals, and not us?": {
    steps: 2,
    run: async (...all) => tasks["which domains cite rivals, and not us?"]?.run(...all),
  },
};

test("a marketing lead with a link", async (t) => {
  const browser = await startBrowser(t, undefined, "the tasks of a marketing lead");
  if (browser === null) return;
  const demo = await sharedDemo();
  const { consoleLinks, keyRing } = demo.service.services;
  const key = await demo.service.key(demo.accountId, ["read"]);
  const stageOf = async (visitor: Visitor): Promise<Stage> => {
    const { keyId } = await keyRing.create(demo.accountId, { name: "link", expiresAt: null });
    const link = `${demo.origin}/#sign-in=${consoleLinks.create(keyId)}`;
    return { browser, demo, key, link, visitor };
  };
  const does = async (all: typeof tasks, person: Person, stage: Stage) => {
    const { page, turnTo } = stage.visitor;
    const { width } = page.viewportSize() ?? { width: 0 };
    for (const [name, task] of Object.entries(all)) {
      await t.test(`${width} px: ${name}`, async () => {
        await doTask(task, person, stage);
        assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width);
        assert.deepEqual([stage.visitor.faults, stage.visitor.foreign], [[], []]);
      });
      await turnTo("?");
    }
  };
  const desk = await visit(browser, demo);
  await does(tasks, new Person(desk.page), await stageOf(desk));
  const phone = await visit(browser, demo, { width: 390, hasTouch: true });
  await does(onPhone, new Person(phone.page, "finger"), await stageOf(phone));
  const keys = await visit(browser, demo, 1_200);
  await does(tasks, new Person(keys.page, "keyboard"), await stageOf(keys));
});
