import type { InsightsSourcesResponse, InsightsSummaryResponse } from "@sightline/client";
import type { Locator } from "playwright-core";

/** A source of a reply. */
export type Source = InsightsSourcesResponse["sources"][number];

/** A count, as the reader of the tests writes it. */
export const count = new Intl.NumberFormat("en-GB");
/** A share with so many places. */
export const percent = (places: number) =>
  new Intl.NumberFormat("en-GB", { style: "percent", minimumFractionDigits: places });
const points = new Intl.NumberFormat("en-GB", {
  signDisplay: "exceptZero",
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** The texts of a table's cells, row by row, without the rows that lie open between them. */
export const cellsOf = (table: Locator): Promise<readonly (readonly string[])[]> =>
  table.locator("> tbody > tr:not(:has(> td[colspan]))").evaluateAll((rows) =>
    // biome-ignore lint/performance/useDomNodeTextContent: lines of a cell are told apart
    rows.map((row) => [...row.querySelectorAll<HTMLElement>("td")].map((td) => td.innerText)),
  );

const names: Readonly<Record<string, string>> = {
  own: "Own",
  competitor: "Competitor",
  thirdParty: "Third party",
};

/** What a row of domains says: its class without the owner's name. */
export const domainCells = ({ source, share, citations, answers, change, class: its }: Source) => [
  ...[source, names[its], percent(1).format(share), count.format(citations)],
  `${count.format(answers)}${its === "own" ? "" : "\nwithout us"}`,
  `${pointsText(change?.parts?.likeForLike)} pts\n${words[change?.verdict ?? ""]}`,
];

const pointsText = (value = Number.NaN): string =>
  points.format(value * 100).replace("-", "\u2212");

const words: Readonly<Record<string, string>> = {
  moved: "clear change",
  "within-noise": "no clear change",
  insufficient: "too few prompts",
};

/** The columns of a CSV of sources. */
export const sourceHead = [
  ...[
    "source",
    "class",
    "owner",
    "share",
    "citations",
    "answers",
    "likeForLike",
    "low",
    "high",
    "verdict",
    "effectivePrompts",
    "change",
    "mix",
  ],
  ...["promptsAdded", "promptsRemoved", "compareFrom", "compareTo"],
  ...["sourceClass", "form", "firstCitedAt", "lastCitedAt"],
] as const;

/** What those of its change say of a source. */
export const changeCells = ({ change }: Source) => [
  ...[change?.parts?.likeForLike, change?.interval?.low, change?.interval?.high],
  ...[change?.verdict, change?.effectivePrompts, change?.value, change?.parts?.mix],
  ...[change?.parts?.promptsAdded, change?.parts?.promptsRemoved],
];

/** Rows of domains without the names of owners, and what buttons say to screen readers. */
export const withoutOwner = (rows: readonly (readonly string[])[]) =>
  rows.map((cells) =>
    cells.map((text, at) =>
      text
        .split("\n")
        .slice(0, at === 1 ? 1 : 2)
        .join("\n"),
    ),
  );

/** CSV as the console writes it. */
export const csv = (rows: readonly (readonly (string | number | boolean | null | undefined)[])[]) =>
  `\ufeff${rows
    .map((row) => row.map((cell) => (/,/.test(`${cell}`) ? `"${cell}"` : cell)).join())
    .map((line) => `${line}\r\n`)
    .join("")}`;

/** A prompt as the page lists it. */
export type Group = InsightsSummaryResponse["groups"][number] & {
  readonly topic: string;
  readonly branded: boolean;
};

/** What a row of prompts says: each cell's value, and its counts below. */
export function promptCells({ name, answers, entities: [brand] }: Group) {
  const rates = [brand?.mentions, brand?.visibility, brand?.citations].map((rate) => [
    rate?.value == null ? "–" : percent(1).format(rate.value),
    `${rate?.numerator} of ${rate?.denominator}`,
  ]);
  const { value, denominator } = brand?.rank ?? { value: null, denominator: 0 };
  const mentions = `${denominator} mention${denominator === 1 ? "" : "s"}`;
  const without = answers - (brand?.visibility.numerator ?? answers);
  return [
    [name],
    ...rates,
    [value === null ? "–" : value.toFixed(2), mentions],
    [count.format(answers), ...(without === 0 ? [] : [`${count.format(without)} without`])],
  ];
}
