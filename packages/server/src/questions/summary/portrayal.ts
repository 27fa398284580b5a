import { type EntityPortrayal, type PortrayalFlag, portrayalFlags } from "@sightline/contract";
import { type FlagAccuracy, portrayalAccuracy, portrayalVersion } from "../../extraction/index.ts";
import { languageOf } from "../../facts/codes.ts";
import { entityKey, type LanguageCount } from "../../facts/plan/insight-plans.ts";

/** In which languages the answers of a group speak of an entity: answers by a language's number. */
export type LanguagesOf = (group: number, entity: number) => ReadonlyMap<number, number>;

const none: ReadonlyMap<number, number> = new Map();

/** The languages of each group and entity, from counts in any order. */
export function languagesOf(counts: readonly LanguageCount[]): LanguagesOf {
  const found = new Map<bigint, Map<number, number>>();
  for (const { group, entity, language, answers } of counts) {
    const key = entityKey(BigInt(group), entity);
    const own = found.get(key) ?? new Map<number, number>();
    found.set(key, own);
    own.set(language, (own.get(language) ?? 0) + answers);
  }
  return (group, entity) => found.get(entityKey(BigInt(group), entity)) ?? none;
}

/** How answers speak of an entity, as a summary says it. */
export function portrayalPart(
  languages: ReadonlyMap<number, number>,
  part: (flag: PortrayalFlag) => EntityPortrayal[PortrayalFlag],
): EntityPortrayal {
  return {
    reader: readerOf(languages),
    recommended: part("recommended"),
    praised: part("praised"),
    criticized: part("criticized"),
    discouraged: part("discouraged"),
    notFound: part("notFound"),
  };
}

function readerOf(languages: ReadonlyMap<number, number>): EntityPortrayal["reader"] {
  const read = [...languages].flatMap(([code, answers]) => {
    const language = languageOf(code);
    return language === null ? [] : [{ language, answers, ...accuracyOf(language) }];
  });
  return {
    name: "rules",
    version: portrayalVersion,
    language: read.toSorted((a, b) => b.answers - a.answers || (a.language < b.language ? -1 : 1)),
    unread: languages.get(0) ?? 0,
  };
}

type ReadLanguage = EntityPortrayal["reader"]["language"][number];
type Accuracy = Pick<ReadLanguage, "precision" | "recall" | "listOnly">;

const known = new Map<string, Accuracy>();

/** How often the reader is right in texts of a language; one and the same for all entities. */
function accuracyOf(language: string): Accuracy {
  const found = known.get(language) ?? newAccuracy(language);
  known.set(language, found);
  return found;
}

/** A flag that is right less often is one to read, not to count. */
const f1Min = 0.7;

function newAccuracy(language: string): Accuracy {
  const measured = portrayalAccuracy[language] ?? {};
  const of = (what: "precision" | "recall"): ReadLanguage["precision"] => ({
    recommended: measured.recommended?.[what] ?? null,
    praised: measured.praised?.[what] ?? null,
    criticized: measured.criticized?.[what] ?? null,
    discouraged: measured.discouraged?.[what] ?? null,
    notFound: measured.notFound?.[what] ?? null,
  });
  const isRough = (accuracy: FlagAccuracy | undefined) =>
    accuracy !== undefined && f1Of(accuracy) < f1Min;
  return {
    precision: of("precision"),
    recall: of("recall"),
    listOnly: portrayalFlags.filter((flag) => isRough(measured[flag])),
  };
}

function f1Of({ precision, recall }: FlagAccuracy): number {
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}
