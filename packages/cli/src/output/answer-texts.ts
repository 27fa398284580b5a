import type { EvidenceAnswer, EvidenceResponse } from "@sightline/client";
import { flagWords } from "./portrayal-table.ts";
import { safeText } from "./safe-text.ts";
import { styled, type Terminal } from "./terminal.ts";

/** What is shown of one text: longer ones are read as JSON. */
const charactersMax = 4_000;
/** What is shown of the URLs that one answer cites. */
const sourcesMax = 10;

/** Answers for people: when, who, the prompt, the text with the mentions marked, the sources. */
export function answerTexts(
  { total, answers, nextCursor }: EvidenceResponse,
  prompts: ReadonlyMap<string, string>,
  terminal: Terminal,
): readonly string[] {
  const shown = answers.flatMap((answer) => [
    ...answerLines(answer, prompts.get(answer.promptId), terminal),
    "",
  ]);
  const count = `${answers.length} of ${total.toLocaleString("en-GB")} answers, newest first`;
  const next = nextCursor === null ? "" : `; continue with --cursor ${nextCursor}`;
  return [...shown, styled(terminal, "dim", `${count}${next}`)];
}

function answerLines(
  answer: EvidenceAnswer,
  prompt: string | undefined,
  terminal: Terminal,
): readonly string[] {
  const { id, answeredAt, provider, region, model } = answer;
  const known = [answeredAt, provider, region, model].filter((each) => each !== null);
  const question = prompt === undefined ? [] : [styled(terminal, "bold", safeText(prompt))];
  return [
    ...question,
    styled(terminal, "dim", safeText([...known, id].join("  "))),
    ...(answer.textRemoved
      ? [styled(terminal, "dim", "(the text was removed for its age)")]
      : markedText(answer, terminal).split("\n")),
    ...saidLines(answer, terminal),
    ...sourceLines(answer, terminal),
  ];
}

/**
 * The text with each mention marked: bold and underlined in colour, in brackets without. What would
 * act on a terminal is written as its number, except line breaks.
 */
export function markedText(
  { text, mentions }: Pick<EvidenceAnswer, "text" | "mentions">,
  terminal: Terminal,
): string {
  const end = Math.min(text.length, charactersMax);
  const parts: string[] = [];
  let place = 0;
  for (const mention of mentions) {
    if (mention.end > end) break;
    const name = safeLines(text.slice(mention.start, mention.end));
    parts.push(safeLines(text.slice(place, mention.start)));
    parts.push(terminal.colour ? styled(terminal, ["bold", "underline"], name) : `[${name}]`);
    place = mention.end;
  }
  parts.push(safeLines(text.slice(place, end)));
  const left = text.length - end;
  if (left > 0) parts.push(`… (${left} more characters: --format json)`);
  return parts.join("");
}

function safeLines(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => safeText(line.replaceAll("\t", "  ")))
    .join("\n");
}

/** What is shown of what one answer says, and of a sentence. */
const saidMax = 10;
const sentenceCharactersMax = 200;

/** What the answer says of each entity, a sentence a line, with the pages behind it. */
function saidLines(
  { text, mentions, citations }: EvidenceAnswer,
  terminal: Terminal,
): readonly string[] {
  const said = mentions.flatMap(({ name, cues }) => cues.map((cue) => ({ name, cue })));
  const lines = said.slice(0, saidMax).map(({ name, cue }) => {
    const [start, end] = cue.sentence;
    const sentence = text.slice(start, end).replace(/\s+/g, " ");
    const cut = sentence.length > sentenceCharactersMax;
    const shown = cut ? `${sentence.slice(0, sentenceCharactersMax)} …` : sentence;
    const pages = cue.citations.flatMap((place) => citations[place]?.domain ?? []);
    const behind = pages.length === 0 ? "" : `  (${[...new Set(pages)].join(", ")})`;
    return `  ${name} ${flagWords[cue.flag]}: ${shown}${behind}`;
  });
  const left = said.length - lines.length;
  const more = left > 0 ? [`  and ${left} more`] : [];
  return [...lines, ...more].map((line) => styled(terminal, "dim", safeText(line)));
}

function sourceLines({ citations }: EvidenceAnswer, terminal: Terminal): readonly string[] {
  const counted = citations.filter((each) => each.counted);
  const lines = counted.slice(0, sourcesMax).map(({ canonicalUrl }) => `  ${canonicalUrl}`);
  const left = counted.length - lines.length;
  const more = left > 0 ? [`  and ${left} more`] : [];
  return [...lines, ...more].map((line) => styled(terminal, "cyan", safeText(line)));
}
