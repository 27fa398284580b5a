import { markdownTable } from "../report/markdown.ts";
import { type NamesScore, namesBlock } from "./names.ts";
import { type PortrayalScores, portrayalBlock } from "./portrayal.ts";
import { type Accuracy, percent, precision, recall, shown, type Tally } from "./score.ts";

/** What is published: bench/accuracy/results.json. */
export interface Published {
  readonly realAnswers: Accuracy;
  readonly texts: Accuracy;
  /** Of flags, not of names. */
  readonly portrayal: PortrayalScores;
  /** Of the list of untracked names. */
  readonly names: NamesScore;
}

/** The page that has all tables, with them; from the repository's root. */
export const page = "docs/guide/accuracy.md";

/** A document with its tables of figures replaced by those of the results. */
export function withFigures(document: string, path: string, results: Published): string {
  const blocks =
    path === page
      ? {
          real: realBlock(results.realAnswers),
          texts: textsBlock(results.texts),
          portrayal: portrayalBlock(results.portrayal),
          names: namesBlock(results.names),
        }
      : { short: shortBlock(results) };
  return Object.entries(blocks).reduce((text, [name, lines]) => {
    const [begin, end] = [`<!-- accuracy:${name}:begin -->`, `<!-- accuracy:${name}:end -->`];
    const [from, to] = [text.indexOf(begin), text.indexOf(end)];
    if (from === -1 || to < from) throw new Error(`${path} lacks ${begin} … ${end}`);
    return `${text.slice(0, from)}${[begin, ...lines].join("\n")}\n${text.slice(to)}`;
  }, document);
}

/** The tables of the real answers, as lines. */
export function realBlock(real: Accuracy): readonly string[] {
  return [
    `${real.answers} real answers:`,
    "",
    ...namesTable(real),
    "",
    `Cited pages of these answers and of ${real.replies} recorded replies of providers:`,
    "",
    ...pagesTable(real),
  ];
}

/** The tables of the texts of the repository, as lines. */
export function textsBlock(texts: Accuracy): readonly string[] {
  return [
    `${texts.answers} texts made to be hard:`,
    "",
    ...namesTable(texts),
    "",
    ...pagesTable(texts),
    "",
    "Sightline by script:",
    "",
    ...markdownTable(
      ["Script", "Labelled places", "Precision", "Recall"],
      texts.scripts.map(({ script, mentions }) => [
        script,
        String(mentions.labelled),
        shown(precision(mentions)),
        shown(recall(mentions)),
      ]),
    ),
    "",
    "Where Sightline makes mistakes: names that it misses, and places that name nobody.",
    "",
    ...markdownTable(
      ["Script and subject of the text", "Missed", "Wrong"],
      texts.mistakes.map(({ script, about, missed, wrong }) => [
        `${script}: ${about}`,
        String(missed),
        String(wrong),
      ]),
    ),
  ];
}

function namesTable({ names }: Accuracy): readonly string[] {
  return markdownTable(
    ["Rule", "Places: precision", "recall", "Named in the answer: precision", "recall", "Ranks"],
    names.map(({ rule, mentions, named, ranks }) => [
      rule,
      ...both(mentions),
      ...both(named),
      shown(recall(ranks)),
    ]),
  );
}

function pagesTable({ pages }: Accuracy): readonly string[] {
  return markdownTable(
    ["Rule", "Pages: precision", "recall", "Domains: precision", "recall"],
    pages.map(({ rule, pages: cited, domains }) => [rule, ...both(cited), ...both(domains)]),
  );
}

function shortBlock({ realAnswers, texts }: Published): readonly string[] {
  const plain = (tally: Tally) => [precision(tally), recall(tally)].map(percent).join(" / ");
  return [
    `Precision / recall in percent, on ${realAnswers.answers} real answers in English and on ` +
      `${texts.answers} texts`,
    "in ten scripts that were made to be hard, both labelled by one reader:",
    "",
    ...markdownTable(
      ["Rule", "Real: entity named", "Real: each place", "Hard: entity named", "Hard: each place"],
      realAnswers.names.map(({ rule, mentions, named }, row) => {
        const hard = texts.names[row];
        const cells = hard === undefined ? [] : [plain(hard.named), plain(hard.mentions)];
        return [rule, plain(named), plain(mentions), ...cells];
      }),
    ),
  ];
}

function both(tally: Tally): readonly string[] {
  return [shown(precision(tally)), shown(recall(tally))];
}
