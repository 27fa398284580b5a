import type { FactsEngine } from "../../facts/engine.ts";
import {
  type AnswerPlace,
  type EvidenceQuestion,
  noPlaces,
  planPlaces,
} from "../../facts/plan/places-plan.ts";
import { noPlan, type PlanUsed, usedBy } from "../../facts/plan/plan.ts";
import { type AccountView, notReady } from "../account-views.ts";
import { canonicalSource } from "../sources.ts";
import type { EvidenceReader } from "./evidence-reader.ts";

/** A page of the answers behind a value. */
export interface EvidenceFacts {
  /** Of the facts; "" before the first. */
  readonly generation: string;
  /** Answers on all pages. */
  readonly total: number;
  /** The answers as JSON: objects with commas between them. */
  readonly json: Uint8Array;
  /** The last answer of the page; null: there is no next page. */
  readonly last: AnswerPlace | null;
  readonly used: PlanUsed;
}

/** One answer of the record, as JSON; null: there is none. */
export interface AnswerFacts {
  readonly json: Uint8Array | null;
  readonly used: PlanUsed;
}

/** What evidence is found with. */
export interface EvidenceSources {
  readonly engine: Pick<FactsEngine, "places">;
  readonly reader: EvidenceReader;
}

/** For whom it is found. */
export interface EvidenceCall {
  readonly accountId: string;
  readonly view: AccountView;
  readonly signal: AbortSignal;
}

/** Finds a page of answers in the facts, and reads them from the record. */
export async function evidenceFacts(
  { engine, reader }: EvidenceSources,
  { accountId, view: { facts }, signal }: EvidenceCall,
  question: EvidenceQuestion,
): Promise<EvidenceFacts> {
  const entities = facts?.snapshot.entities ?? [];
  const entityIds = entities.map(({ id }) => id);
  const asked = { ...question, cites: canonicalSource(question.cites) };
  const plan = facts && planPlaces(asked, { codes: facts.codes, entityIds });
  const generation = facts?.generation ?? "";
  const planned = plan && { generation, plan };
  const found = planned ? await engine.places(accountId, planned, signal) : noPlaces;
  const used = plan ? usedBy({ choice: plan.choice, rows: plan.counted }) : noPlan;
  const places = found.places.slice(0, question.limit);
  if (facts === null || places.length === 0) {
    return { generation, total: found.total, json: new Uint8Array(), last: null, used };
  }
  const wanted = { generation, entities, wanted: { places } };
  const { json, count } = await reader.read(accountId, wanted, signal);
  const last = count === found.places.length ? null : (places[count - 1] ?? null);
  return { generation, total: found.total, json, last, used };
}

/** @throws ServiceError facts_not_ready when the account's first facts are being made. */
export async function answerFacts(
  { reader }: Pick<EvidenceSources, "reader">,
  { accountId, view: { facts }, signal }: EvidenceCall,
  answerId: string,
): Promise<AnswerFacts> {
  const { generation = "", snapshot: { entities = [] } = {} } = facts ?? {};
  const wanted = { generation, entities, wanted: { answerId } };
  const { json, count } = await reader.read(accountId, wanted, signal);
  if (count === 0) return { json: null, used: noPlan };
  if (facts === null) throw notReady();
  return { json, used: noPlan };
}
