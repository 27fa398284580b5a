import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compileEvidenceLocator } from "../../packages/server/src/extraction/index.ts";
import {
  type PortrayalFlag,
  portray,
  portrayalFlags,
} from "../../packages/server/src/extraction/portrayal/portrayal.ts";
import { markdownTable } from "../report/markdown.ts";
import { precision, recall, shown, type Tally } from "./score.ts";

/** How the reader of portrayal does: by flag, pairs of answer and entity. */
type FlagTallies = Readonly<Record<PortrayalFlag, Tally>>;

/** The reader's scores on a set of labelled texts. */
export interface PortrayalScore {
  /** BCP 47 primary subtag. */
  readonly language: string;
  /** Which labelled texts: those that were read while the tables were written, or others. */
  readonly set: "written on" | "kept apart";
  readonly texts: number;
  readonly pairs: number;
  readonly flags: FlagTallies;
}

/** The scores on real answers, and on texts of the repository. */
export interface PortrayalScores {
  readonly realAnswers: readonly PortrayalScore[];
  readonly texts: readonly PortrayalScore[];
}

/** A text, and by entity the flags that a reader sees. */
interface Labelled {
  readonly language: string;
  readonly set: PortrayalScore["set"];
  readonly text: string;
  /** By entity's name, the names by which texts call it. */
  readonly names: Readonly<Record<string, readonly string[]>>;
  readonly labels: Readonly<Record<string, readonly PortrayalFlag[]>>;
}

/** The brands of the real answers, with the aliases under which they are labelled. */
export const brands: Labelled["names"] = {
  Samsung: ["Galaxy"],
  Apple: ["iPhone", "MacBook", "iPad", "AirPods", "Apple Watch", "Vision Pro"],
  Google: ["Pixel"],
  Sony: ["PlayStation"],
  LG: [],
  Bose: ["QuietComfort"],
  Garmin: [],
  DJI: ["Mavic"],
  Meta: ["Quest", "Oculus"],
  Yamaha: ["Clavinova"],
  Tesla: ["Model 3", "Model Y"],
  "Bambu Lab": ["Bambu"],
};

/** The scores on the repository's texts. */
export function scoreTexts(): readonly PortrayalScore[] {
  const lines = linesOf<{
    readonly language: string;
    readonly set: string;
    readonly text: string;
    readonly labels: Labelled["labels"];
  }>(join(import.meta.dirname, "portrayal-texts.ndjson"));
  return scoresOf(
    lines.map(({ language, set, text, labels }) => {
      const names = Object.fromEntries(Object.keys(labels).map((name) => [name, []]));
      return { language, set: set === "first" ? "written on" : "kept apart", text, names, labels };
    }),
  );
}

/**
 * The scores on labelled real answers, which are not in the repository.
 *
 * @param folder where they are; null when they are not there.
 */
export function scoreRealPortrayal(folder: string): readonly PortrayalScore[] | null {
  const [answers, labels] = ["product-recommendations/answers.ndjson", "portrayal/dev.ndjson"].map(
    (file) => join(folder, file),
  );
  if (answers === undefined || labels === undefined) return null;
  if (!existsSync(answers) || !existsSync(labels)) return null;
  const pairs = linesOf<{
    readonly answerId: string;
    readonly entity: string;
    readonly labels: Readonly<Record<PortrayalFlag, boolean>>;
  }>(labels);
  const byAnswer = Map.groupBy(pairs, ({ answerId }) => answerId);
  return scoresOf(
    linesOf<{ readonly id: string; readonly promptId: string; readonly text: string }>(
      answers,
    ).flatMap(({ id, promptId, text }): readonly Labelled[] => {
      const own = byAnswer.get(id);
      if (own === undefined) return [];
      const flags = own.map(
        ({ entity, labels }) => [entity, portrayalFlags.filter((flag) => labels[flag])] as const,
      );
      const set = setOf(promptId);
      return [{ language: "en", set, text, names: brands, labels: Object.fromEntries(flags) }];
    }),
  );
}

/**
 * Half of the questions were read while the tables were written; of the others no text was. The
 * first hexadecimal digit of a hash decides.
 */
function setOf(promptId: string): PortrayalScore["set"] {
  const hash = createHash("sha256").update(`portrayal 1 ${promptId}`).digest("hex");
  return Number.parseInt(hash.charAt(0), 16) < 8 ? "kept apart" : "written on";
}

function scoresOf(texts: readonly Labelled[]): readonly PortrayalScore[] {
  const sets = Map.groupBy(texts, ({ language, set }) => `${set} ${language}`);
  return [...sets.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const read = group.map((each) => ({ ...each, found: flagsIn(each) }));
    return {
      language: first.language,
      set: first.set,
      texts: group.length,
      pairs: group.reduce((sum, { labels }) => sum + Object.keys(labels).length, 0),
      flags: talliesOf((flag) =>
        read.flatMap(({ labels, found }) =>
          Object.entries(labels).map(([entity, own]) => ({
            labelled: own.includes(flag),
            found: found(entity).has(flag),
          })),
        ),
      ),
    };
  });
}

/** One pair, and one flag: labelled, and found. */
interface Judged {
  readonly labelled: boolean;
  readonly found: boolean;
}

function talliesOf(judged: (flag: PortrayalFlag) => readonly Judged[]): FlagTallies {
  const tally = (flag: PortrayalFlag): Tally => {
    const pairs = judged(flag);
    return {
      found: pairs.filter(({ found }) => found).length,
      labelled: pairs.filter(({ labelled }) => labelled).length,
      right: pairs.filter(({ found, labelled }) => found && labelled).length,
    };
  };
  return {
    recommended: tally("recommended"),
    praised: tally("praised"),
    criticized: tally("criticized"),
    discouraged: tally("discouraged"),
    notFound: tally("notFound"),
  };
}

/** What the reader finds, by the name of an entity. */
function flagsIn({ text, names }: Labelled): (entity: string) => ReadonlySet<PortrayalFlag> {
  const entities = Object.keys(names);
  const locate = compileEvidenceLocator(
    Object.entries(names).map(([name, aliases]) => ({
      names: [name, ...aliases].map((each) => ({ text: each, caseSensitive: false })),
      domains: [],
    })),
  );
  const { cues } = portray(text, locate({ text, citations: [] }).mentions);
  return (entity) => new Set(cues.get(entities.indexOf(entity))?.map(({ flag }) => flag));
}

function linesOf<Line>(path: string): readonly Line[] {
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  return lines.map((line): Line => JSON.parse(line));
}

/** The tables of the accuracy page, as lines. */
export function portrayalBlock({ realAnswers, texts }: PortrayalScores): readonly string[] {
  const first = texts.filter(({ set }) => set === "written on");
  const apart = texts.filter(({ set }) => set === "kept apart");
  return [
    "Real answers in English:",
    "",
    ...flagsTable(realAnswers),
    "",
    "Texts of the repository that were written after the tables, 20 for each language:",
    "",
    ...flagsTable(apart),
    "",
    "Texts of the repository by which the tables were written, F1:",
    "",
    ...markdownTable(
      ["Language", "Texts", ...portrayalFlags.map((flag) => `\`${flag}\``)],
      first.map(({ language, texts: count, flags }) => [
        language,
        String(count),
        ...portrayalFlags.map((flag) => f1Of(flags[flag])),
      ]),
    ),
  ];
}

function flagsTable(scores: readonly PortrayalScore[]): readonly string[] {
  return markdownTable(
    ["Language, texts and flag", "Precision", "Recall", "F1"],
    scores.flatMap(({ language, set, texts, flags }) =>
      portrayalFlags
        .filter((flag) => flags[flag].labelled + flags[flag].found > 0)
        .map((flag) => [
          `${language}, ${texts} ${set}: \`${flag}\``,
          shown(precision(flags[flag])),
          shown(recall(flags[flag])),
          f1Of(flags[flag]),
        ]),
    ),
  );
}

/** The harmonic mean of precision and recall; a dash of nothing. */
function f1Of({ found, labelled, right }: Tally): string {
  return labelled === 0 ? "–" : ((2 * right) / (found + labelled)).toFixed(2);
}

/** The module that the service reads, from the repository's root. */
export const tableOfAccuracy = "packages/server/src/extraction/portrayal/accuracy.ts";

/** That module: its code stays, its table is that of the scores on what was kept apart. */
export function accuracyModule({ realAnswers, texts }: PortrayalScores): string {
  const module = readFileSync(join(import.meta.dirname, "../..", tableOfAccuracy), "utf8");
  const [begin, end] = ["// Written by tasks/accuracy.\n", "// End of what is written.\n"];
  const [from, to] = [module.indexOf(begin), module.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`${tableOfAccuracy} lacks its marks`);
  const apart = (scores: readonly PortrayalScore[], language: string) =>
    scores.find((each) => each.set === "kept apart" && each.language === language)?.flags;
  const lines = texts
    .filter(({ set }) => set === "kept apart")
    .flatMap(({ language, flags }) => [
      `  ${language}: {`,
      ...portrayalFlags.flatMap((flag) => {
        const real = apart(realAnswers, language)?.[flag];
        const onAnswers = real !== undefined && real.labelled > 0;
        return [
          `    ${flag}: {`,
          ...figures(onAnswers ? real : flags[flag], onAnswers).map((each) => `      ${each},`),
          "    },",
        ];
      }),
      "  },",
    ]);
  const head = [
    "/**",
    " * How the reader does, by language and flag; a flag that is missing was not measured. The",
    " * guide, docs/guide/accuracy.md, has the counts.",
    " */",
    "export const portrayalAccuracy: Accuracy = {",
  ];
  const table = `${[...head, ...lines, "};"].join("\n")}\n`;
  return module.slice(0, from + begin.length) + table + module.slice(to);
}

/** Of what is never found, no share is right. */
function figures(tally: Tally, onAnswers: boolean): readonly string[] {
  const rounded = (value = 0) => String(Number(value.toFixed(3)));
  return [
    `precision: ${rounded(precision(tally)?.value)}`,
    `recall: ${rounded(recall(tally)?.value)}`,
    `labelled: ${tally.labelled}`,
    `basis: "${onAnswers ? "answers" : "texts"}"`,
  ];
}
