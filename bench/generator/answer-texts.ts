import { type Catalogue, catalogueOf } from "./catalogue.ts";
import { type GeneratedAnswer, generate } from "./generate.ts";
import { Random } from "./random.ts";
import type { Workload } from "./workload.ts";

/** How long an answer's text is, about. */
const textCharacters = 2_000;

/** None of these words is a name that is tracked. */
const sentences = [
  "Many teams begin with a short list and compare what they pay for each seat.",
  "The **setup** takes an afternoon, and the migration guide covers the usual cases.",
  "Reviews from this year praise the search and complain about exports.",
  "Check whether your data stays in the region that your contract names.",
  "For small companies the free tier is enough until the third project.",
  "An audit log, single sign-on and roles come with the larger plans.",
  "Support answers within a day; the community forum is often faster.",
  "Integrations matter more than features once several tools must work together.",
] as const;

/** Answers as an import takes them, a line each, whose texts hold what was generated. */
export function* answerLines(workload: Workload): Generator<string> {
  const catalogue = catalogueOf(workload);
  const random = new Random(workload.seed ^ 0x7e87);
  for (const batch of generate(workload)) {
    for (const answer of batch) yield `${JSON.stringify(lineOf(answer, catalogue, random))}\n`;
  }
}

function lineOf(answer: GeneratedAnswer, catalogue: Catalogue, random: Random): object {
  return {
    promptId: catalogue.prompts[answer.prompt]?.id,
    provider: answer.provider,
    region: answer.region,
    answeredAt: new Date(answer.answeredAt).toISOString(),
    sample: answer.number,
    model: "bench-1",
    text: textOf(answer, catalogue, random),
    citations: answer.citations.map(({ url }, place) => ({ url, title: `Source ${place + 1}` })),
  };
}

/** Prose, then a list that names the entities in order, then prose again. */
function textOf({ mentions }: GeneratedAnswer, catalogue: Catalogue, random: Random): string {
  const items = mentions.map((entity, place) => {
    return `${place + 1}. **${catalogue.entities[entity]?.name}**: ${sentence(random)}`;
  });
  const parts = ["## What to choose", sentence(random), items.join("\n")];
  let characters = parts.join("\n\n").length;
  while (characters < textCharacters) {
    const more = sentence(random);
    parts.push(more);
    characters += more.length + 2;
  }
  return parts.join("\n\n");
}

function sentence(random: Random): string {
  return sentences[random.below(sentences.length)] ?? "";
}
