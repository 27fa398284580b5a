import type { DemoCitation } from "./citations.ts";
import type { Company } from "./market.ts";
import {
  adviceHeadings,
  closings,
  comparisons,
  generalOpenings,
  launchPraise,
  openings,
  pickHeadings,
  remarks,
} from "./prose.ts";
import type { LinkStyle } from "./providers.ts";
import { pickFrom, type Random, shuffled } from "./random.ts";
import { topicWords } from "./topic-words.ts";
import { isLaunched, type Occasion } from "./trends.ts";

/** What goes into an answer's text. */
export interface AnswerContent {
  readonly occasion: Occasion;
  /** The companies to mention, in the order in which they are to be named first. */
  readonly mentioned: readonly Company[];
  readonly citations: readonly DemoCitation[];
}

// The next cited page's mark, with a space before it; empty when all have been shown.
type NextMark = () => string;

/** The Markdown of one answer: its prose names the mentioned companies, and no other. */
export function answerText(random: Random, content: AnswerContent): string {
  const { occasion, mentioned } = content;
  const mark = markWriter(content);
  const opening = pickFrom(random, mentioned.length > 0 ? openings : generalOpenings);
  const blocks = [`${opening}${mark()}`];
  if (mentioned.length > 0) {
    blocks.push(pickFrom(random, pickHeadings), picks(random, content, mark));
  }
  const [first, second] = mentioned;
  if (first !== undefined && second !== undefined && random.chance(0.35)) {
    const sentence = pickFrom(random, comparisons);
    blocks.push(sentence.replace("{first}", first.name).replace("{second}", second.name));
  }
  blocks.push(pickFrom(random, adviceHeadings), advice(random, content, mark));
  if (random.chance(0.8)) blocks.push(pickFrom(random, closings));
  return blocks.join("\n\n").replaceAll("{goods}", topicWords[occasion.prompt.topic].goods);
}

function markWriter({ occasion, citations }: AnswerContent): NextMark {
  let place = 0;
  return () => {
    while (citations[place]?.cited === false) place += 1;
    const citation = citations[place];
    place += 1;
    return citation === undefined ? "" : markOf(occasion.provider.links, citation, place);
  };
}

function markOf(style: LinkStyle, { url, title }: DemoCitation, number: number): string {
  switch (style) {
    case "host-link":
      return ` ([${new URL(url).host.replace("www.", "")}](${url}))`;
    case "number":
      return `[${number}]`;
    case "number-link":
      return ` [[${number}]](${url})`;
    case "title-link":
      return ` ([${title}](${url}))`;
    case "none":
      return "";
  }
}

function picks(random: Random, { occasion, mentioned }: AnswerContent, mark: NextMark): string {
  const praise = shuffled(random, topicWords[occasion.prompt.topic].praise);
  const numbered = random.chance(0.6);
  const lines = mentioned.map((company, place) => {
    const bullet = numbered ? `${place + 1}.` : "-";
    const remark = random.chance(0.75) ? ` ${pickFrom(random, remarks)}` : "";
    const claim =
      isLaunched(company, occasion) && random.chance(0.5)
        ? pickFrom(random, launchPraise)
        : `${subject(random, writtenName(random, company))} ${praise[place % praise.length]}.`;
    return `${bullet} ${claim}${remark}${mark()}`;
  });
  return lines.join("\n");
}

/** A company as the subject of its line: in bold, plain, or with a possessive. */
function subject(random: Random, name: string): string {
  const style = random.next();
  if (style < 0.5) return `**${name}**`;
  if (style < 0.7) return `**${name}:** it`;
  if (style < 0.82) return `${name}'s strong point: it`;
  if (style < 0.9) return `The case for *${name}* is simple: it`;
  return name;
}

function writtenName(random: Random, company: Company): string {
  return random.chance(0.8) ? company.name : pickFrom(random, company.writtenAs);
}

function advice(random: Random, { occasion, mentioned }: AnswerContent, mark: NextMark): string {
  const { provider, prompt } = occasion;
  // An answer that names few companies says more about the rest, so that lengths stay alike.
  const count = random.between(...provider.advice) + Math.max(0, 2 - mentioned.length);
  const points = shuffled(random, topicWords[prompt.topic].advice).slice(0, count);
  return points.map(([head, sentence]) => `- **${head}:** ${sentence}${mark()}`).join("\n");
}
