import type { Sightline } from "@sightline/client";
import type { LabelMetric } from "@sightline/contract";
import { textsRemovedBefore, workspaceOf } from "@sightline/server/account-store";
import { compileDrawable, drawnPrompts, inDrawnOrder } from "@sightline/server/draw-labels";
import { readingColumns } from "@sightline/server/import-labels";
import type { Storage } from "@sightline/server/storage";
import { csvLine } from "./output/records.ts";
import { entityKind, idOf, type Named } from "./questions/names.ts";

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
 * Answers of a data folder drawn at random, as lines of CSV, the names of the columns first. They
 * are drawn as the service draws them: by prompt, of those that count and have a text.
 */
export async function* drawnSample(
  { answers, control }: Storage,
  accountId: string,
  request: SampleRequest,
): AsyncGenerator<string> {
  const workspace = await workspaceOf(control, accountId);
  const entities = workspace?.entities ?? [];
  const prompts = new Map(workspace?.prompts.map(({ id, text }) => [id, text]));
  const brand = entities.find(({ kind }) => kind === "brand");
  const { count, metric, seed, entity, fromMs, toMs } = request;
  const entityId = entity === null ? (brand?.id ?? "") : idOf(entity, entityKind, entities);
  const isDrawable = compileDrawable(entities, { entityId, metric });
  const textsFromMs = (await textsRemovedBefore(control, accountId)) ?? fromMs;
  const drawable = new Map<string, number[]>();
  for (let after = 0; ; ) {
    const page = await answers.read(accountId, { after, limit: pageAnswers });
    for (const answer of page) {
      const { sequence, answeredAt, outcome, promptId, removedText } = answer;
      after = sequence;
      if (answeredAt < Math.max(fromMs, textsFromMs) || answeredAt >= toMs) continue;
      if (outcome !== "answered" || removedText !== undefined || !prompts.has(promptId)) continue;
      if (!isDrawable(answer)) continue;
      const own = drawable.get(promptId);
      if (own === undefined) drawable.set(promptId, [sequence]);
      else own.push(sequence);
    }
    if (page.length === 0) break;
  }
  const counted = Array.from(drawable, ([id, own]) => ({ id, answers: own.length }));
  const drawn = await drawnPrompts(counted, { seed, count });
  const ordered = new Map<string, readonly number[]>();
  for (const { id, round } of drawn) {
    if (round === 1) ordered.set(id, inDrawnOrder(drawable.get(id) ?? [], seed));
  }
  const sequences = drawn.map(({ id, round }) => ordered.get(id)?.[round - 1] ?? -1);
  const named = entities.find(({ id }) => id === entityId) ?? { id: entityId, name: "" };
  yield csvLine([...columns, ...readingColumns]);
  for await (const answer of answers.at(accountId, sequences)) {
    const answeredAt = new Date(answer.answeredAt).toISOString();
    yield recordOf(request, named, { ...answer, answeredAt, prompts });
  }
}

/** The same of the account of a service, in which the service draws. */
export async function* sampleOfService(
  client: Sightline,
  request: SampleRequest,
): AsyncGenerator<string> {
  const { brand, competitors, prompts: tracked, answers } = await client.workspace();
  const { count, metric, seed, entity, fromMs, toMs } = request;
  const entities = [brand, ...competitors];
  const entityId = entity === null ? brand.id : idOf(entity, entityKind, entities);
  const named = entities.find(({ id }) => id === entityId) ?? { id: entityId, name: "" };
  const prompts = new Map(tracked.map(({ id, text }) => [id, text]));
  yield csvLine([...columns, ...readingColumns]);
  if (answers.first === null || answers.last === null) return;
  const from = new Date(Math.max(fromMs, Date.parse(answers.first)));
  const to = new Date(Math.min(toMs, Date.parse(answers.last) + 1));
  if (from >= to) return;
  const filters = { timeRange: { from, to } };
  const { sample } = await client.labels.sample({ entityId, metric, limit: count, seed, filters });
  for (const { answerId } of sample) {
    yield recordOf(request, named, { ...(await client.answers.get(answerId)), prompts });
  }
}

interface ReadAnswer {
  readonly id: string;
  readonly promptId: string;
  readonly provider: string;
  readonly answeredAt: string;
  readonly text: string;
  readonly prompts: ReadonlyMap<string, string>;
}

function recordOf(
  { metric, labeller }: SampleRequest,
  { id: entityId, name }: Named,
  { id, promptId, provider, answeredAt, text, prompts }: ReadAnswer,
): string {
  const label = [id, entityId, metric, "", labeller];
  return csvLine([...label, name, prompts.get(promptId) ?? "", provider, answeredAt, text]);
}
