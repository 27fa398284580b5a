import { type CitationLifeResponse, type FileSource, survivalDays } from "@sightline/contract";
import { providersOf } from "../facts/codes.ts";
import { compileClassifier } from "../facts/kinds/source-kinds.ts";
import { noPlan, type PlanUsed } from "../facts/plan/plan.ts";
import { tooManySums } from "../facts/plan/question.ts";
import { type CitationLives, planLife } from "../facts/plan/source-plans.ts";
import type { LifeQuestion } from "../facts/plan/source-questions.ts";
import { type Emptiness, emptyPart } from "./account-views.ts";
import { type FactsReading, uncited } from "./reading.ts";
import { type Lives, survivalOf } from "./statistics/survival.ts";

/** What the facts say of how long citations last. */
export interface LifeFacts {
  readonly lives: readonly CitationLives[];
  readonly empty: Emptiness | null;
  readonly used: PlanUsed;
}

/**
 * What the facts say of how long citations last; the keys are those of the reply.
 * @throws ServiceError invalid_request when there are too many lengths of lives.
 */
export async function readLife(
  reading: FactsReading,
  question: LifeQuestion,
  rules: readonly FileSource[],
): Promise<LifeFacts> {
  const { engine, accountId, view, signal } = reading;
  const { selection, by } = question;
  const plan = view.facts && planLife(selection, by === "class" ? "domain" : by, view.facts.codes);
  if (view.facts === null || plan === null) {
    return { lives: [], empty: await uncited(reading, selection), used: noPlan };
  }
  const { generation } = view.facts;
  const rows = await engine.citationLives(accountId, { generation, plan }, signal);
  if (rows.length > plan.rowsMax) throw tooManySums(plan.rowsMax);
  const classifier = compileClassifier(rules);
  const keyOf = (key: string) => {
    if (by === "class") return classifier.ofDomain(key);
    return by === "provider" ? (providersOf(new Set([Number(key)]))[0] ?? key) : key;
  };
  return {
    lives: rows.map((row) => ({ ...row, key: keyOf(row.key) })),
    empty: rows.length === 0 ? await uncited(reading, selection) : null,
    used: { name: "citations", refused: [] },
  };
}

/** The most bytes that a reply takes, nearly: of long URLs. */
export function lifeBytesMax({ limit }: LifeQuestion): number {
  return 2_000 + limit * 3_000;
}

/** The reply of POST /v1/insights/citation-life, as JSON. It can be paused after each group. */
export function* lifeJson(
  { by, limit }: LifeQuestion,
  { lives, empty }: LifeFacts,
): Generator<void, Buffer, void> {
  const sizeOf = (rows: readonly CitationLives[]) =>
    rows.reduce((sum, each) => sum + each.lives, 0);
  const groups = [...Map.groupBy(lives, ({ key }) => key)]
    .map(([key, rows]) => ({ key, rows, size: sizeOf(rows) }))
    .toSorted((a, b) => b.size - a.size || (a.key < b.key ? -1 : 1));
  const listed: CitationLifeResponse["groups"][number][] = [];
  for (const { key, rows } of groups.slice(0, limit)) {
    listed.push({ key, ...groupOf(rows) });
    yield;
  }
  const reply: CitationLifeResponse = {
    by,
    all: groupOf(lives),
    groups: listed,
    total: groups.length,
    empty: emptyPart(empty),
  };
  return Buffer.from(JSON.stringify(reply));
}

function groupOf(rows: readonly CitationLives[]): CitationLifeResponse["all"] {
  const survival = survivalOf(
    rows.map(({ days, gone, lives }): Lives => {
      return { days, ended: gone === 1 ? lives : 0, censored: gone === 1 ? 0 : lives };
    }),
  );
  return {
    citations: survival.lives,
    won: rows.reduce((sum, { won, lives }) => sum + won * lives, 0),
    lost: survival.ended,
    medianDays: survival.medianDays,
    medianInterval: survival.medianInterval,
    survival28: survival.after(survivalDays),
  };
}
