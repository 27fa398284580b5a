import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { firstRunCode } from "@sightline/server/first-run-link";
import { startBrowser } from "@sightline/test-kit/browser.ts";
import { serialOf, workbook } from "@sightline/test-kit/workbook-file.ts";
import { startConsole } from "./demo-service.ts";
import { type ChosenFile, doTask, Person, type PersonTask, seenText } from "./person.ts";
import { settled, violationsOf, visit } from "./visitor.ts";

// What an analyst does with answers of her own: from the link that an empty service prints to what
// changed and why. The tasks follow one another on the same account.

/** Two columns as a spreadsheet copies them. */
const questions = [
  ["Which anvil is best for a small forge?", "Anvils"],
  ["Which anvil lasts longest?", "Anvils"],
  ["What does a good anvil cost?", "Anvils"],
  ["Which anvil is quiet?", "Anvils"],
  ["Which hammer suits beginners?", "Hammers"],
  ["Which hammer do farriers use?", "Hammers"],
  ["Is a heavy hammer better?", "Hammers"],
  ["Which hammer has the best handle?", "Hammers"],
] as const;
const providers = ["ChatGPT", "Claude", "Perplexity"] as const;

/** Days of a month on which each provider was asked each question. */
const askedDays = [3, 7, 11, 15, 19, 23, 27] as const;

interface Said {
  readonly question: string;
  readonly provider: string;
  readonly day: number;
  readonly text: string;
}

/** The answers of a month; of ten, so many name the brand. */
function saidIn(namedOfTen: number): readonly Said[] {
  return questions.flatMap(([question], at) =>
    providers.flatMap((provider, place) =>
      askedDays.map((day) => {
        // Claude names it less, and no two questions alike.
        const isNamed = (at * 3 + day + place * 4) % 10 < namedOfTen - place;
        const text = isNamed ? "Acme, then Globex." : "Globex, said nobody of the others.";
        return { question, provider, day, text };
      }),
    ),
  );
}

const twoDigits = (day: number): string => String(day).padStart(2, "0");

/** As a German Excel saves CSV: semicolons, its own encoding, dates with dots and without zone. */
const september = Buffer.from(
  ["Frage;Anbieter;Datum;Antwort;Quelle"]
    .concat(
      saidIn(4).map(
        ({ question, provider, day, text }) =>
          `${question};${provider};${twoDigits(day)}.09.2026 09:30;"Für Größe: ${text}";` +
          "https://www.globex.example/anvils",
      ),
    )
    .join("\r\n"),
  "latin1",
);

/** Of another client: a file that should not have been chosen. */
const wrong = workbook([
  {
    name: "Answers",
    rows: [
      ["Question", "Provider", "Date", "Answer"],
      ...saidIn(0)
        .slice(0, 40)
        .map(({ question, provider, day }) => [
          question,
          provider,
          { serial: serialOf(`2026-10-${twoDigits(day)}T08:00:00`) },
          "Initech. (wrong file)",
        ]),
    ],
  },
]);

/** As Excel saves "Unicode text". */
const october = Buffer.from(
  `\ufeff${["prompt\tprovider\tdate\ttext\turl"]
    .concat(
      saidIn(8).map(
        ({ question, provider, day, text }) =>
          `${question}\t${provider}\t2026-10-${twoDigits(day)} 09:30\t${text}\t` +
          "https://acme.example/forge",
      ),
    )
    .join("\n")}`,
  "utf16le",
);

const files: readonly ChosenFile[] = [
  { name: "September.csv", content: september },
  { name: "Other client.xlsx", content: wrong },
  { name: "October.txt", content: october },
];

/** How many answers a month's file has. */
const perMonth = questions.length * providers.length * askedDays.length;

interface Stage {
  /** What the service printed. */
  readonly link: string;
}

const tasks: Readonly<Record<string, PersonTask<Stage>>> = {
  "an account of her own, by the link": {
    steps: 11,
    run: async (person, { link }) => {
      await person.open(link);
      await person.write("Brand", "Acme GmbH");
      await person.write("Domains", "https://www.acme.example/products?from=mail");
      await person.key("Enter");
      await person.press("button", "Acme"); // a suggested short form
      await person.write("Competitors", "Globex, initech.example");
      await person.press("button", "Next");
      const numbered = questions.map(([text, topic], at) => `${at + 1}. ${text}\t${topic}`);
      await person.write("Prompts, one per line", numbered.join("\n"));
      await person.reads("8 prompts in 2 topics.");
      await person.press("button", "Create with 8 prompts");
      await person.reads(/^sl_\w{54}$/);
      await person.press("button", "I have kept it");
      await settled(person.page);
      await person.press("button", "Import answers");
      await person.sees("button", "Choose files");
    },
  },

  "three spreadsheets, chosen together": {
    steps: 15,
    run: async (person) => {
      await person.chooseFiles(files, "button", "Choose files");
      for (const { name } of files) {
        const wizard = await person.sees("dialog", `Import ${name}`);
        await wizard.getByLabel("Names of columns").waitFor();
        // Bytes prove no encoding; the other files say theirs.
        if (name === "September.csv")
          await person.choose("Encoding", "Western European (Windows-1252)", wizard);
        await person.press("button", "Next", wizard);
        await person.choose(/time zone/, "UTC", wizard);
        await person.press("button", "Next", wizard);
        await person.press("button", /^Import \d+ answers$/, wizard);
        await wizard.waitFor({ state: "detached" });
      }
      for (const { name } of files) {
        const card = await person.sees("region", `Import of ${name}`);
        await person.reads("Accepted", card);
        assert.deepEqual((await card.locator("dd").allInnerTexts()).slice(1), ["0", "0", "0"]);
      }
      const list = await person.sees("table", "Imports, newest first");
      for (const { name } of files) await person.sees("row", new RegExp(name), list);
    },
  },

  "the second was the wrong one: undo it": {
    steps: 2,
    run: async (person) => {
      const list = await person.sees("table", "Imports, newest first");
      const row = await person.sees("row", /Other client\.xlsx/, list);
      await person.press("button", "Undo", row);
      const asked = await person.sees("dialog", "Undo the import of Other client.xlsx?");
      await person.press("button", "Remove 40 answers", asked);
      await person.reads(/undone/, row);
      const others = await seenText(list);
      assert.equal(others.match(/undone/g)?.length, 1);
    },
  },

  numbers: {
    steps: 1,
    run: async (person) => {
      await person.pressAndWait("link", "Overview");
      await person.sees("button", /^\d+\.\d%: show the answers behind Mentions/);
      const values = await seenText(await person.sees("list", "The brand's values"));
      assert.match(values, new RegExp(`${2 * perMonth} answers · 8 prompts`.replace("· ", "·\\s")));
    },
  },

  "compare two months": {
    steps: 2,
    run: async (person) => {
      await person.press("button", /^Last 12 weeks/);
      await person.pressAndWait("radio", "Last month");
      await person.sees("button", "Compare 1 Sept – 30 Sept 2026");
      const values = await person.sees("list", "The brand's values");

      await person.reads(/^clear change/, values);
    },
  },

  "what changed, and why": {
    steps: 5,
    run: async (person) => {
      const steps = await person.sees("list", "From the value before to the value now");
      assert.ok((await steps.getByRole("listitem").count()) >= 3);
      await person.press("button", /how the change of Mentions of Acme GmbH is made up/);
      await person.press("button", "Why it changed");
      const drawer = await person.sees("dialog", "Why Mentions of Acme GmbH changed");
      await person.sees("table", "Contributions by prompt", drawer);
      await person.press("radio", "Provider", drawer);
      const parts = await person.sees("table", "Contributions by provider", drawer);
      await settled(person.page);
      for (const provider of providers) await person.reads(provider, parts);
      await person.press("button", /answers behind Now, ChatGPT/, parts);
      await person.sees("dialog", /^Acme GmbH was mentioned in \d+ of 56 answers/);
      await person.key("Escape");
      await drawer.waitFor();
    },
  },

  "compare the providers": {
    steps: 4,
    run: async (person) => {
      await person.key("Escape");
      const table = await person.sees("table", "Mentions by provider");
      for (const provider of providers) {
        await person.sees("columnheader", new RegExp(`${provider}\\s*56`), table);
      }
      await person.reads("n = 56", table);
      const choice = await person.sees("radiogroup", "Value of each cell");
      await person.press("radio", "Share of voice", choice);
      const voice = await person.sees("table", "Share of voice by provider");
      await person.pressAndWait("button", /filter by Claude, with Globex/, voice);
      await person.sees("button", "Provider Claude");
      await person.pressAndWait("button", "Clear filters");
    },
  },

  "leave one provider out, and ask for a topic and a prompt": {
    steps: 10,
    run: async (person) => {
      await person.press("button", /^Provider/);
      await person.press("radio", "is not");
      await person.press("checkbox", "ChatGPT");
      await person.key("Escape");
      await person.sees("button", "Provider not ChatGPT");
      await person.press("button", /^Topic/);
      await person.press("checkbox", "Anvils");
      await person.key("Escape");
      await person.press("button", /^Prompt/);
      await person.press("checkbox", "Which anvil is quiet?");
      await person.key("Escape");
      await settled(person.page);
      await person.sees("button", /^Prompt Which anvil is quiet\? · 1 of 1 in the topics$/);
      const values = await seenText(await person.sees("list", "The brand's values"));
      assert.match(values, /14 answers ·\s1 prompt\n/);
    },
  },

  "keep this view, and come back to it": {
    steps: 7,
    run: async (person) => {
      await person.press("button", /^Views/);
      await person.write("Name of this view", "Quiet anvils");
      await person.press("button", "Save");
      await person.sees("button", "Delete Quiet anvils");
      await person.key("Escape");
      await person.pressAndWait("button", "Clear filters");
      await person.sees("button", "Provider All");
      await person.press("button", "Views 1");
      await person.pressAndWait("button", "Quiet anvils");
      await person.sees("button", "Provider not ChatGPT");
      await person.sees("button", "Topic Anvils");
    },
  },

  "the answers as CSV": {
    steps: 4,
    run: async (person) => {
      await person.pressAndWait("button", /show the answers behind Mentions/);
      const drawer = await person.sees("dialog", /^Acme GmbH was mentioned in \d+ of 14 answers/);
      await person.press("button", "CSV", drawer);
      const file = await person.save("menuitem", "CSV");
      assert.match(file.suggestedFilename(), /^acme-gmbh-answers-mentioned-2026-10-01_2026-10-31/);
      const [head = "", ...lines] = readFileSync(await file.path(), "utf8")
        .trim()
        .split("\r\n");
      assert.match(head, /answeredAt,provider,.*,prompt,topic,.*,text$/);
      const [, count = ""] = /in (\d+) of/.exec(await seenText(drawer)) ?? [];
      assert.equal(lines.length, Number(count));
      assert.ok(lines.every((line) => /Claude|Perplexity/.test(line) && line.includes("Acme")));
      await person.key("Escape");
    },
  },

  "everything else as files": {
    steps: 8,
    run: async (person) => {
      await person.pressAndWait("button", "Clear filters");
      const saved: string[] = [];
      for (const page of ["Sources", "Prompts"]) {
        await person.pressAndWait("link", page);
        await person.press("button", "CSV");
        const file = await person.save("menuitem", "CSV");
        const text = readFileSync(await file.path(), "utf8");
        saved.push(`${file.suggestedFilename()}: ${text.split("\r\n")[0]}`);
      }
      assert.match(saved[0] ?? "", /^acme-gmbh-domains-.*\.csv: /);
      assert.match(saved[1] ?? "", /^acme-gmbh-prompts-.*\.csv: .*stability/);
      await person.press("link", "Overview");
    },
  },

  "a hundred prompts more, and a topic for some of them": {
    steps: 11,
    run: async (person) => {
      await person.press("link", "Setup");
      await person.press("link", "Topics and prompts");
      await person.press("button", "Add prompts");
      const dialog = await person.sees("dialog", "Add prompts");
      const more = Array.from({ length: 100 }, (_, at) => `${at + 1}. Which tongs, model ${at}?`);
      await person.write("Prompts, one per line", more.join("\n"), dialog);
      await person.press("button", "Add 100 prompts", dialog);
      await person.write("Search prompts", "tongs");
      await person.press("checkbox", "Select all 100 prompts");
      await person.choose("Topic of the selected prompts", "Hammers");
      await person.press("button", "Review and save");
      const review = await person.sees("dialog", "What this changes");
      await person.press("button", "Save", review);
      await review.waitFor({ state: "detached" });
      await person.reads(/108 prompts|1–\d+ of 100 prompts/);
      await person.press("link", "Overview");
    },
  },
};

/** Before an account's first facts are there the service says so, and the console asks again. */
const isPassing = (fault: string): boolean => /^Failed to load resource: .* 503 /.test(fault);

test("an analyst with answers of her own", async (t) => {
  const browser = await startBrowser(t, undefined, "the tasks of an analyst");
  if (browser === null) return;
  const { service } = await startConsole();
  t.after(() => service.close());
  const origin = await service.listen();
  const { keyRing } = service.services;
  const link = `${origin}/#first-run=${firstRunCode(keyRing, service.clock.now())}`;
  const { page, faults, foreign } = await visit(browser, { origin });
  const person = new Person(page);
  for (const [name, task] of Object.entries(tasks)) {
    let isDone = false;
    await t.test(name, async () => {
      await doTask(task, person, { link });
      assert.deepEqual([faults.filter((fault) => !isPassing(fault)), foreign], [[], []]);
      isDone = true;
    });
    if (!isDone) return; // the next begins where this one ends
  }
  await t.test("axe finds nothing where she ends", async () => {
    assert.deepEqual(await violationsOf(page), []);
  });
});
