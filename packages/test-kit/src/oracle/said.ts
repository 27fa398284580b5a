import {
  compileExtractor,
  type Extraction,
  portrayalAccuracy,
  portrayalVersion,
} from "../../../server/src/extraction/index.ts";
import type { OracleAnswer, OracleWorkspace } from "./model.ts";

/** What an answer may say of an entity. */
export const saidNames = [
  "recommended",
  "praised",
  "criticized",
  "discouraged",
  "notFound",
] as const;

/** One of them. */
export type SaidName = (typeof saidNames)[number];

/** What an answer says of those whom it mentions. */
export interface Said {
  /** Null: it was not read. */
  readonly language: string | null;
  /** By the entity's id. */
  readonly flags: ReadonlyMap<string, ReadonlySet<string>>;
}

const extractions = new WeakMap<OracleWorkspace, (answer: OracleAnswer) => Extraction>();

/**
 * What an answer says, as the service's reader has it: the oracle counts from the flags of each
 * answer, and does not know words.
 */
export function saidIn(answer: OracleAnswer, workspace: OracleWorkspace): Said {
  const read = extractions.get(workspace) ?? readerOf(workspace);
  extractions.set(workspace, read);
  const { language, flags } = read(answer);
  const { entities } = workspace;
  return {
    language,
    flags: new Map([...flags].map(([place, own]) => [entities[place]?.id ?? "", own])),
  };
}

function readerOf({ entities }: OracleWorkspace): (answer: OracleAnswer) => Extraction {
  const extract = compileExtractor(entities);
  const known = new WeakMap<OracleAnswer, Extraction>();
  return (answer) => {
    const extraction = known.get(answer) ?? extract({ text: answer.text, citations: [] });
    known.set(answer, extraction);
    return extraction;
  };
}

/** What a reply says of the reader of answers in these languages. */
export function expectedReader(languages: readonly (string | null)[]): object {
  const read = languages.filter((language) => language !== null);
  const counts = [...Map.groupBy(read, (language) => language)].map(([language, own]) => {
    const measured = portrayalAccuracy[language];
    const each = (what: "precision" | "recall") =>
      Object.fromEntries(saidNames.map((name) => [name, measured?.[name]?.[what] ?? null]));
    const f1 = (name: SaidName) => {
      const { precision = 1, recall = 1 } = measured?.[name] ?? {};
      return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
    };
    return {
      language,
      answers: own.length,
      precision: each("precision"),
      recall: each("recall"),
      listOnly: saidNames.filter((name) => f1(name) < 0.7),
    };
  });
  return {
    name: "rules",
    version: portrayalVersion,
    language: counts.sort((a, b) => b.answers - a.answers || (a.language < b.language ? -1 : 1)),
    unread: languages.length - read.length,
  };
}
