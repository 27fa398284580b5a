import { hash } from "node:crypto";
import { isPortrayalFlag, type LabelMetric } from "@sightline/contract";
import { workspaceOf } from "@sightline/server/account-store";
import { readingColumns } from "@sightline/server/import-labels";
import { compileMentionedIn } from "@sightline/server/mentioned-in";
import type { Storage } from "@sightline/server/storage";
import { csvLine } from "./output/records.ts";
import { entityKind, idOf } from "./questions/names.ts";

/** Which answers are drawn, and for whom. */
export interface SampleRequest {
  readonly count: number;
  readonly labeller: string;
  readonly metric: LabelMetric;
  readonly seed: number;
  /** A name or an id; null: the brand. */
  readonly entity: string | null;
  /** Milliseconds since 1970; half-open. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** Answers of one read. */
const pageAnswers = 1_000;

const columns = ["answerId", "entityId", "metric", "value", "labeller"] as const;

/**
 * Answers drawn at random as lines of CSV, the names of the columns first: of those that count and
 * have a text, the ones whose SHA-256 of seed and id comes first. So every answer is as likely as
 * another, the same seed draws the same ones, and a larger sample has those of a smaller one.
 * What is said of an entity is asked of the answers that mention it.
 */
export async function* drawnSample(
  { answers, control }: Storage,
  accountId: string,
  { count, labeller, metric, seed, entity, fromMs, toMs }: SampleRequest,
): AsyncGenerator<string> {
  const workspace = await workspaceOf(control, accountId);
  const entities = workspace?.entities ?? [];
  const prompts = new Map(workspace?.prompts.map(({ id, text }) => [id, text]));
  const entityId =
    entity === null
      ? entities.find(({ kind }) => kind === "brand")?.id
      : idOf(entity, entityKind, entities);
  const named = entities.find(({ id }) => id === entityId);
  const mentionedIn = isPortrayalFlag(metric) ? compileMentionedIn(entities) : null;
  let drawn: { readonly draw: string; readonly sequence: number }[] = [];
  const keep = () => {
    drawn.sort((a, b) => (a.draw < b.draw ? -1 : 1));
    drawn = drawn.slice(0, count);
  };
  for (let after = 0; ; ) {
    const page = await answers.read(accountId, { after, limit: pageAnswers });
    for (const answer of page) {
      const { id, sequence, answeredAt, outcome, promptId, removedText } = answer;
      after = sequence;
      if (answeredAt < fromMs || answeredAt >= toMs || outcome !== "answered") continue;
      if (removedText !== undefined || !prompts.has(promptId)) continue;
      if (mentionedIn !== null && !mentionedIn(answer).includes(entityId ?? "")) continue;
      drawn.push({ draw: hash("sha256", `label ${seed} ${id}`), sequence });
    }
    keep();
    if (page.length === 0) break;
  }
  yield csvLine([...columns, ...readingColumns]);
  const sequences = drawn.map(({ sequence }) => sequence);
  for await (const { id, promptId, provider, answeredAt, text } of answers.at(
    accountId,
    sequences,
  )) {
    const label = [id, entityId ?? "", metric, "", labeller];
    const at = new Date(answeredAt).toISOString();
    yield csvLine([...label, named?.name ?? "", prompts.get(promptId) ?? "", provider, at, text]);
  }
}
