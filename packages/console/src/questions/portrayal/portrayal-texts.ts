import type { InsightsSummaryResponse, PortrayalFlag } from "@sightline/client";
import { countOf, countText, percentText } from "../../data/format.ts";
import { flagOrder, flagTitles } from "../../data/names.ts";

type Entity = InsightsSummaryResponse["groups"][number]["entities"][number];
type Reader = NonNullable<Entity["portrayal"]>["reader"];
type Languages = Reader["language"];

/** What is known of how answers speak of an entity, as far as words need it. */
interface Portrayed {
  readonly name: string;
  readonly mentions: { readonly numerator: number };
  /** Left out: by a service that reads none. */
  readonly portrayal?:
    | { readonly reader: Reader; readonly recommended: { readonly denominator: number } }
    | undefined;
}

/** What holds of an answer with a flag. */
export const flagDefinitions: Readonly<Record<PortrayalFlag, string>> = {
  recommended: "The answer itself picks the entity or its product for the reader.",
  praised: "The answer states an advantage of the entity.",
  criticized: "The answer states a drawback, a limit or a caveat of the entity.",
  discouraged: "The answer advises against the entity.",
  notFound: "The answer found nothing about the entity, or doubts that it exists.",
};

/** Whether more of a flag is good news. */
export const isGoodFlag = (flag: PortrayalFlag): boolean =>
  flag === "recommended" || flag === "praised";

/** What a share of a flag is of. */
export function shareDefinition(flag: PortrayalFlag): string {
  return `${flagDefinitions[flag]} Of the answers that mention it and were read.`;
}

/**
 * The part of the answers in languages in which a flag is often wrong that makes it a list: fewer
 * can move a share by less than its interval is wide, as a rule.
 */
const roughShareMin = 0.1;

/** The flags that are lists to read, and no numbers, for answers in these languages. */
export function listedFlags(entities: readonly Portrayed[]): readonly PortrayalFlag[] {
  const languages = entities.flatMap(({ portrayal }) => portrayal?.reader.language ?? []);
  const all = languages.reduce((sum, { answers }) => sum + answers, 0);
  return flagOrder.filter((flag) => {
    const rough = languages.filter(({ listOnly }) => listOnly.includes(flag));
    const answers = rough.reduce((sum, each) => sum + each.answers, 0);
    return all > 0 && answers >= all * roughShareMin;
  });
}

const languageNames = new Intl.DisplayNames("en", { type: "language" });

/** A language's English name by its code. */
function languageName(code: string): string {
  try {
    return languageNames.of(code) ?? code;
  } catch {
    return code; // no code that Intl takes
  }
}

/** By what the answers that mention an entity were read, in which languages, and which were not. */
export function readerSentences(name: string, reader: Reader): readonly string[] {
  const { language, unread, version } = reader;
  const by =
    reader.name === "rules"
      ? `by rules, version ${version}: tables of words for each language, without a model`
      : `by ${reader.name}, version ${version}`;
  const read = language.map((each) => {
    return `${languageName(each.language)} (${countOf(each.answers, "answer")})`;
  });
  return [
    `The answers were read ${by}.`,
    read.length === 0
      ? `No answer that mentions ${name} was read.`
      : `Languages of the answers that mention ${name} and were read: ${read.join(", ")}.`,
    ...(unread === 0 ? [] : [unreadSentence(name, unread)]),
    ...roughSentences(language),
  ];
}

function unreadSentence(name: string, unread: number): string {
  const verb = unread === 1 ? "mentions" : "mention";
  const were = unread === 1 ? "was" : "were";
  return (
    `${countOf(unread, "answer")} that ${verb} ${name} ${were} not read: no table reads the ` +
    "language, or the text was removed. No share counts them."
  );
}

function roughSentences(languages: Languages): readonly string[] {
  return languages
    .filter(({ listOnly }) => listOnly.length > 0)
    .map(({ language, listOnly }) => {
      const flags = listOnly.map((flag) => flagTitles[flag] ?? flag).join(", ");
      return (
        `In ${languageName(language)} the reader is often wrong (F1 below 0.7) about: ${flags}. ` +
        "Read the answers, not the number."
      );
    });
}

/** How often the reader is right about a flag, language by language. */
export function accuracySentences(flag: PortrayalFlag, languages: Languages): readonly string[] {
  return languages.map(({ language, precision, recall }) => {
    const [right, found] = [precision[flag], recall[flag]];
    const start = `${flagTitles[flag]}, in ${languageName(language)}`;
    if (right === null || found === null) return `${start}: not measured.`;
    return (
      `${start}: ${percentText(right, 0)} of what it finds is right (precision), and it finds ` +
      `${percentText(found, 0)} of what there is (recall).`
    );
  });
}

/** Why nothing can be said of how answers speak of an entity; null: something can. */
export function nothingSaid({ name, mentions, portrayal }: Portrayed) {
  if (portrayal === undefined) {
    return {
      title: "Not read yet",
      text: "This service's counts are older than portrayal: rebuild them to see it.",
    };
  }
  if (mentions.numerator === 0) {
    return {
      title: `No answer mentions ${name}`,
      text: "How answers speak of it is counted over those that mention it.",
    };
  }
  const { unread } = portrayal.reader;
  if (portrayal.recommended.denominator > 0 || unread === 0) return null;
  return {
    title: "No answer could be read",
    text:
      `${countText(unread)} of the ${countOf(mentions.numerator, "answer")} that mention ${name} ` +
      "are in languages that no table reads, or without their text.",
  };
}
