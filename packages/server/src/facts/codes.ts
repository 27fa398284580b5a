import type { SummaryGrouping } from "@sightline/contract";
import { type Provider, providers } from "@sightline/contract/providers";
import { type Outcome, outcomes, type Surface, surfaces } from "../answers/answer.ts";
import { type PortrayalFlag, portrayalFlags } from "../extraction/index.ts";
import { eachInTurns } from "../platform/turns.ts";
import type { Codes } from "./plan/plan.ts";
import type { Snapshot } from "./snapshot.ts";

/** A prompt as rows have it. */
export interface PromptCodes {
  readonly number: number;
  /** 0: no topic. */
  readonly topic: number;
  /** 1: branded. */
  readonly branded: number;
}

const providerCodes: ReadonlyMap<string, number> = new Map(
  providers.map((provider, index) => [provider, index + 1]),
);

const known = new WeakMap<Snapshot, Promise<Codes>>();

/** The numbers by which filters look for what a snapshot knows; made once for each, in turns. */
export function codesOf(snapshot: Snapshot): Promise<Codes> {
  const codes = known.get(snapshot) ?? newCodes(snapshot);
  known.set(snapshot, codes);
  return codes;
}

async function newCodes(snapshot: Snapshot): Promise<Codes> {
  const topics = new Map(snapshot.topics.map((id, index) => [id, index + 1]));
  const prompts = new Map<string, number>();
  await eachInTurns(snapshot.prompts, ({ id }, number) => prompts.set(id, number));
  return {
    provider: (name) => providerCodes.get(name),
    region: (code) => regionCode(code),
    topic: (id) => topics.get(id),
    prompt: (id) => prompts.get(id),
    model: modelCode,
    surface: surfaceCode,
    tagged: () => {
      throw new Error("tags are of a workspace, which was not asked for them");
    },
  };
}

/** What rows say of each prompt, by its id: from the lines of `promptLines`. */
export function promptCodesOf(lines: string): ReadonlyMap<string, PromptCodes> {
  const prompts = new Map<string, PromptCodes>();
  for (const [number, line] of lines === "" ? [] : lines.split("\n").entries()) {
    const [id = "", topic, branded] = line.split(" ");
    prompts.set(id, { number, topic: Number(topic), branded: Number(branded) });
  }
  return prompts;
}

/** The number of a provider: from 1, by its place in the contract's list, which only grows. */
export function providerCode(provider: Provider): number {
  return providerCodes.get(provider) ?? 0;
}

/** The number of two upper-case letters, from 1; 0: without a region. */
export function regionCode(code: string | null): number {
  if (code === null) return 0;
  return (code.charCodeAt(0) - 65) * 26 + (code.charCodeAt(1) - 65) + 1;
}

/**
 * The number of a model, from its name (FNV-1a), so that no table of names is needed: models are
 * only compared. Two models have the same number once in four billion times. 0: not known.
 */
export function modelCode(model: string | null): number {
  if (model === null) return 0;
  let hash = 0x811c9dc5;
  for (let index = 0; index < model.length; index += 1) {
    hash = Math.imul(hash ^ model.charCodeAt(index), 0x01000193);
  }
  return hash === 0 ? 1 : hash;
}

/** The number of a surface, from 1; 0: not known. */
export function surfaceCode(surface: Surface | null): number {
  return surface === null ? 0 : surfaces.indexOf(surface) + 1;
}

/** The surface with a number; null: not known. */
export function surfaceOf(number: number): Surface | null {
  return surfaces[number - 1] ?? null;
}

const letters = 27;

/** The number of a language, from the two or three letters of its subtag, from 1; 0: unread. */
export function languageCode(subtag: string | null): number {
  let code = 0;
  for (const letter of subtag ?? "") code = code * letters + letter.charCodeAt(0) - 96;
  return code;
}

/** The subtag of the language with a number; null: unread. */
export function languageOf(code: number): string | null {
  let subtag = "";
  for (let rest = code; rest > 0; rest = Math.floor(rest / letters)) {
    subtag = String.fromCharCode((rest % letters) + 96) + subtag;
  }
  return subtag === "" ? null : subtag;
}

/** What is said of an entity, as a number: a bit each. */
const flagBits = new Map(portrayalFlags.map((flag, place) => [flag, 1 << place]));

/** Above the bits of the flags: the entity is mentioned, and the text was read for them. */
const readBit = 1 << portrayalFlags.length;

/** The bit of a measure of what is said; see `portrayalCode`. */
export function portrayalBit(measure: PortrayalFlag | "read"): number {
  return measure === "read" ? readBit : (flagBits.get(measure) ?? 0);
}

/** What is said of an entity as rows have it: a bit for each flag, and one if it was read. */
export function portrayalCode(flags: ReadonlySet<PortrayalFlag>, isRead: boolean): number {
  let code = isRead ? readBit : 0;
  for (const flag of flags) code |= portrayalBit(flag);
  return code;
}

/** The number of an outcome; 0: answered. */
export function outcomeCode(outcome: Outcome): number {
  return outcomes.indexOf(outcome);
}

/** The providers with these numbers, in the contract's order. */
export function providersOf(numbers: ReadonlySet<number>): readonly Provider[] {
  return providers.filter((provider) => numbers.has(providerCode(provider)));
}

/** The regions with these numbers, by code unit; 0, no region, is left out. */
export function regionsOf(numbers: ReadonlySet<number>): readonly string[] {
  return [...numbers]
    .filter((number) => number > 0)
    .sort((a, b) => a - b)
    .map((number) => {
      const letters = [Math.floor((number - 1) / 26), (number - 1) % 26];
      return String.fromCharCode(...letters.map((letter) => letter + 65));
    });
}

/** What the numbers of a grouping stand for; null: nothing, as 0 mostly does. */
export function groupKeys(
  groupBy: Exclude<SummaryGrouping, "model" | "tag">,
  snapshot: Snapshot | null,
): (group: number) => string | null {
  switch (groupBy) {
    case "none":
      return () => null;
    case "provider":
      return (group) => providersOf(new Set([group]))[0] ?? null;
    case "topic":
      return (group) => snapshot?.topics[group - 1] ?? null;
    case "prompt":
      return (group) => snapshot?.prompts[group]?.id ?? null;
    case "region":
      return (group) => regionsOf(new Set([group]))[0] ?? null;
    case "branded":
      return (group) => String(group === 1);
    case "surface":
      return surfaceOf;
  }
}
