import assert from "node:assert/strict";
import { test } from "node:test";
import { logoBytesMax } from "@sightline/contract";
import { readWorkspaceFile, WorkspaceFileError } from "./read-workspace-file.ts";

const base = "account: { name: Acme }\nbrand: { name: Acme }\n";
const periodRule =
  "must be last-week, last-month, last-quarter or last-N-days with N from 1 to 365";

/** Files, and all of their faults in the order of the lines. */
const faulty: readonly (readonly [name: string, text: string, faults: readonly string[]])[] = [
  [
    "reports that are none",
    `${base}reports:
  - { name: A, period: last-366-days, colour: red, language: fr }
  - { name: A, period: last-month, schedule: "* 6 * * *", sections: [notes, notes] }
  - { name: B, period: last-0-days, logo: "data:image/svg+xml;base64,PHN2Zz4=", compare: before }
  - { name: C, period: last-week, filters: { topic: [A], regions: [de] } }
`,
    [
      `4: /reports/0/period: ${periodRule}, got "last-366-days".`,
      '4: /reports/0/language: must be en or de, got "fr".',
      '4: /reports/0/colour: must be # and six hexadecimal digits, such as #0a6cff, got "red".',
      "5: /reports/1/sections: must name each section once.",
      `6: /reports/2/period: ${periodRule}, got "last-0-days".`,
      '6: /reports/2/compare: must be previous, year or none, got "before".',
      "6: /reports/2/logo: must be a data URI of a PNG or JPEG in base64, " +
        'data:image/png;base64,…, got "data:image/svg+xml;base64,PHN2Zz4=".',
      '7: /reports/3/filters/regions/0: must be two upper-case letters, such as US, got "de".',
      '7: /reports/3/filters/topic: "topic" is not a known field. Did you mean topics?',
    ],
  ],
  [
    "reports that do not fit the file",
    `${base}reports:
  - { name: A, period: last-month, schedule: "* 6 * * *", filters: { topics: [Tents] } }
  - { name: A, period: last-365-days, schedule: "0 25 * * *" }
`,
    [
      "4: /reports/0/schedule: must come at most once a day, with one number each as minute and " +
        'hour, such as 0 6 * * 1, got "* 6 * * *".',
      '4: /reports/0/filters/topics/0: The file declares no topic "Tents". ' +
        "Declare it under topics.",
      '5: /reports/1: "A" is already the name of /reports/0.',
      "5: /reports/1/schedule: must be a cron expression of five parts. Invalid value for hour: 25",
    ],
  ],
];

function faultsOf(text: string): readonly string[] {
  try {
    readWorkspaceFile(text);
    return [];
  } catch (error) {
    assert.ok(error instanceof WorkspaceFileError);
    return error.message
      .split("\n")
      .slice(1)
      .map((line) => line.replace(/^ *line /, ""));
  }
}

for (const [name, text, faults] of faulty) {
  test(`faults: ${name}`, () => assert.deepEqual(faultsOf(text), faults));
}

test("a logo of more bytes than one may have is refused", () => {
  const png = Buffer.from("89504e470d0a1a0a", "hex");
  const logo = (bytes: number) => {
    const picture = Buffer.concat([png, Buffer.alloc(bytes - png.length, 7)]).toString("base64");
    const reports = [{ name: "A", period: "last-week", logo: `data:image/png;base64,${picture}` }];
    return JSON.stringify({ account: "Acme", brand: "Acme", reports });
  };
  assert.deepEqual(faultsOf(logo(logoBytesMax)), []);
  assert.deepEqual(faultsOf(logo(logoBytesMax + 1)), [
    `1: /reports/0/logo: must have at most ${logoBytesMax} bytes, got ${logoBytesMax + 1}.`,
  ]);
});
