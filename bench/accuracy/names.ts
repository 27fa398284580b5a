import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalUrl } from "../../packages/server/src/extraction/canonical-url.ts";
import {
  compileFullExtractor,
  NameBits,
  nameKey,
  type UntrackedName,
} from "../../packages/server/src/extraction/index.ts";
import {
  candidateNames,
  inOrder,
  ordinaryWords,
} from "../../packages/server/src/facts/kinds/untracked-names.ts";
import { markdownTable } from "../report/markdown.ts";
import { brands as tracked } from "./portrayal.ts";
import { recall, shown, type Tally } from "./score.ts";

/** How the list of untracked names does on real answers. */
export interface NamesScore {
  readonly answers: number;
  /** Brands that three answers or more name, and those among the first names. */
  readonly brands: { readonly named: number; readonly found: number };
  /** The first names, and those of them that are brands or product lines. */
  readonly first: { readonly names: number; readonly right: number };
  /** Of the brands not found those that the answers to one prompt alone name. */
  readonly ofOnePrompt: number;
}

/** So many names are looked at. */
const firstNames = 150;
/** Brands of fewer answers are not looked for. */
const answersMin = 3;

interface Brand {
  readonly spellings: readonly string[];
  readonly lines: readonly string[];
}

interface RealAnswer {
  readonly promptId: string;
  readonly text: string;
  readonly citations: readonly { readonly url: string; readonly cited: boolean }[];
}

/** The brands that were written down. */
function readBrands(): readonly Brand[] {
  const text = readFileSync(join(import.meta.dirname, "names.txt"), "utf8");
  const entries = text.replaceAll(/\n +/g, " ").split("\n");
  return entries.flatMap((entry) => {
    if (entry === "" || entry.startsWith("#")) return [];
    const [head = "", lines = ""] = entry.split(":");
    const listed = (of: string, by: string) =>
      of
        .split(by)
        .map((each) => each.trim())
        .filter((each) => each !== "");
    return [{ spellings: listed(head, "="), lines: listed(lines, ",") }];
  });
}

/**
 * The score on the real answers, which are not in the repository.
 *
 * @param folder where they are; null when they are not there.
 */
export function scoreNames(folder: string): NamesScore | null {
  const path = join(folder, "product-recommendations/answers.ndjson");
  if (!existsSync(path)) return null;
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  const answers = lines.map((line): RealAnswer => JSON.parse(line));
  const first = namesOf(answers).slice(0, firstNames);
  const brands = readBrands().map((brand) => ({ ...brand, in: answersThatName(brand, answers) }));
  const named = brands.filter((brand) => brand.in.length >= answersMin);
  const keys = new Set(first.map(nameKey));
  const missed = named.filter(
    ({ spellings }) => !spellings.some((each) => keys.has(nameKey(each))),
  );
  const right = new Set(
    brands
      .flatMap(({ spellings, lines }) => [
        ...spellings,
        ...lines,
        ...spellings.flatMap((spelling) => lines.map((line) => `${spelling} ${line}`)),
      ])
      .map(nameKey),
  );
  return {
    answers: answers.length,
    brands: { named: named.length, found: named.length - missed.length },
    first: { names: first.length, right: first.filter((each) => right.has(nameKey(each))).length },
    ofOnePrompt: missed.filter(
      (brand) => new Set(brand.in.map(({ promptId }) => promptId)).size === 1,
    ).length,
  };
}

/** Answers that have one of the spellings as a word, also where cells are glued to it. */
function answersThatName({ spellings }: Brand, answers: readonly RealAnswer[]) {
  const words = spellings.map((each) => each.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  const pattern = new RegExp(`(?<![A-Z0-9&])(?:${words})(?![a-z0-9]|&)`);
  return answers.filter(({ text }) => pattern.test(text));
}

/** The list as the service makes it of all answers. */
function namesOf(answers: readonly RealAnswer[]): readonly string[] {
  const entities = Object.entries(tracked).map(([name, aliases]) => ({
    names: [name, ...aliases].map((text) => ({ text, caseSensitive: false })),
    domains: [],
  }));
  const read = compileFullExtractor(entities);
  const all = answers.map(({ promptId, text, citations }) => {
    const known = citations.filter(({ url }) => canonicalUrl(url) !== null);
    return { promptId, ...read({ text, citations: known }) };
  });
  const counted = new Map<number, { word: number; lower: number; capital: number }>();
  for (const { words } of all) {
    for (const how of ["lower", "capital"] as const) {
      for (const word of words[how]) {
        const counts = counted.get(word) ?? { word, lower: 0, capital: 0 };
        counted.set(word, { ...counts, [how]: counts[how] + 1 });
      }
    }
  }
  const isWord = ordinaryWords([...counted.values()]);
  const rows = all.flatMap(({ promptId, names }) => names.map((name) => ({ ...name, promptId })));
  const sums = [...Map.groupBy(rows, ({ key }) => key).values()].map((of) => {
    const own = sumsOf(of);
    return { ...own, ...isWord(own) };
  });
  const candidates = candidateNames(
    sums.filter(({ prompts }) => prompts > 1),
    entities,
  );
  return inOrder(candidates).map(({ name }) => name);
}

function sumsOf(rows: readonly (UntrackedName & { readonly promptId: string })[]) {
  const count = (bit: number) => rows.filter(({ bits }) => (bits & bit) !== 0).length;
  return {
    key: rows[0]?.key ?? "",
    name: rows.map(({ name }) => name).sort()[0] ?? "",
    answers: rows.length,
    prompts: new Set(rows.map(({ promptId }) => promptId)).size,
    providers: 1,
    marked: count(NameBits.marked),
    leads: count(NameBits.leads),
    owned: count(NameBits.owned),
    cited: count(NameBits.cited),
    kin: count(NameBits.kin),
    besideKin: count(NameBits.besideKin),
    onlyMarked: count(NameBits.onlyMarked),
    owner: Math.max(...rows.map(({ owner }) => (owner === null ? 0 : owner + 1))),
  };
}

/** The table of the accuracy page, as lines. */
export function namesBlock({ answers, brands, first, ofOnePrompt }: NamesScore): readonly string[] {
  const found: Tally = { found: brands.found, labelled: brands.named, right: brands.found };
  const right: Tally = { found: first.names, labelled: first.names, right: first.right };
  return [
    `${answers} real answers, the first ${first.names} names of the list:`,
    "",
    ...markdownTable(
      ["What", "Share"],
      [
        [
          `Brands that ${answersMin} answers or more name, and that are found`,
          shown(recall(found)),
        ],
        ["Names that are a brand or a product line", shown(recall(right))],
      ],
    ),
    "",
    `Of the brands that are missing, ${ofOnePrompt} are named in answers to one prompt alone.`,
  ];
}
