import {
  type AccountCollection,
  accountCollectionSchema,
  collectionRuleSchema,
  type DeclaredReport,
  entityNamesMax,
  type FileSource,
  fileEntitySchema,
  filePromptSchema,
  instantOf,
  keptLists,
  labelMetrics,
  type Note,
  providers,
  type SavedView,
  type StatedFact,
  scopes,
  strictObject,
  vendors,
} from "@sightline/contract";
import { z } from "zod";
import { type Answer, outcomes, surfaces } from "../../answers/answer.ts";
import {
  citationsMax,
  costMax,
  isCurrency,
  searchQueriesMax,
  searchQueryCharactersMax,
  shortCharactersMax,
  spansMax,
  textCharactersMax,
  urlCharactersMax,
  vendorCharactersMax,
} from "../../answers/intake/answer-schema.ts";
import { spansFault } from "../../answers/intake/line-faults.ts";
import { lineBounds } from "../../answers/intake/read-answer-line.ts";
import type { Label } from "../../answers/labels/label-store.ts";
import type { Reading } from "../../answers/readings/reading-store.ts";
import type { MovedSpend, MovedSweep } from "../../collection/store/moved-collection.ts";
import { dropReasons, findingKinds, findingsMax } from "../../extraction/index.ts";
import type { KeyRecord } from "../../keys/key-store.ts";
import type { UsageCount } from "../../keys/limits/usage-store.ts";
import type { JsonBounds } from "../../platform/scan-json.ts";
import type { DeclaredItem } from "./account-moves.ts";

/** A file that carries an account is not one, is damaged, or does not fit its target. */
export class MoveError extends Error {
  constructor(message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.name = "MoveError";
  }
}

/** An answer's line may be longer than the imported one: numbers are written out. */
export const lineBytesMax = 32 * 1024 * 1024;
/** Of a line: an answer stands in it one level deeper, and what it leaves out is written out. */
export const writtenBounds: JsonBounds = {
  depthMax: lineBounds.depthMax + 1,
  namesMax: lineBounds.namesMax,
  valuesMax: 2 * (lineBounds.valuesMax ?? 0),
};
/** As of a cited URL that counts. */
const domainCharactersMax = 8_192;
/** As of a key that is created over HTTP, or more: the command has no bound. */
const keyNameMax = 10_000;

const id = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);
const instant = z.int().min(0).max(Date.parse("9999-12-31T23:59:59.999Z"));
const limit = z.union([z.literal("off"), z.int().min(1)]).nullable();
// The bounds of a workspace file and of imported lines: the service was built for no more.
const ofFile = { name: fileEntitySchema.shape.name, text: filePromptSchema.shape.text };
const text = (most: number) =>
  z
    .string()
    .max(most)
    .refine((value) => value.isWellFormed());
const name = strictObject({ name: ofFile.name, caseSensitive: z.boolean() });

const entity = strictObject({
  id,
  kind: z.enum(["brand", "competitor"]),
  name: ofFile.name,
  caseSensitive: z.boolean(),
  aliases: z.array(name).max(entityNamesMax),
  domains: z.array(text(domainCharactersMax).min(1)).max(entityNamesMax),
  except: z.array(ofFile.name).max(entityNamesMax).optional(),
});
const collection = collectionRuleSchema.optional();
const topic = strictObject({ id, name: ofFile.name, collection });
const prompt = strictObject({
  id,
  text: ofFile.text,
  topicId: id.nullable(),
  branded: z.boolean(),
  paused: z.boolean(),
  tags: filePromptSchema.shape.tags,
  collection,
});

const keyId = z.string().regex(/^[0-9A-Za-z_-]{1,64}$/);
const key = strictObject({
  id: keyId,
  name: text(keyNameMax),
  hash: sha256,
  createdAt: instant,
  expiresAt: instant.nullable(),
  revokedAt: instant.nullable(),
  lastUsedAt: instant.nullable(),
  ratePerSecond: limit,
  dailyQuota: limit,
  scopes: z.array(z.enum(scopes)).min(1),
});

const sweep = strictObject({
  id,
  slot: instant,
  source: z.enum(["schedule", "now"]),
  deadline: instant,
  createdAt: instant,
  cancelledAt: instant.nullable(),
  parts: z
    .array(
      strictObject({
        provider: z.enum(providers),
        surface: z.enum(surfaces),
        vendor: z.enum(vendors),
        jobs: count,
        queued: count,
        underWay: count,
        done: count,
        spentMicros: count,
        failed: z.array(strictObject({ reason: text(urlCharactersMax), jobs: count })),
        publishedAt: instant,
        allFailed: z.boolean().nullable(),
      }),
    )
    .min(1),
});

const citation = strictObject({
  url: text(urlCharactersMax),
  title: text(urlCharactersMax).nullable(),
  cited: z.boolean(),
  // Files of formats 1 to 3 have none.
  spans: z
    .array(z.tuple([count, count]))
    .max(spansMax)
    .optional(),
});
const cost = strictObject({
  amount: z.number().min(0).max(costMax),
  currency: z.string().refine(isCurrency),
  estimated: z.boolean(),
});

/** In the years 0001 to 9999: others are in no range that can be asked for. */
function isInstant(ms: number): boolean {
  const date = new Date(ms);
  return !Number.isNaN(date.getTime()) && instantOf(date.toISOString()) !== null;
}

const answer = strictObject({
  id,
  promptId: id,
  provider: z.enum(providers),
  region: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .nullable(),
  answeredAt: z.int().refine(isInstant),
  outcome: z.enum(outcomes),
  text: text(textCharactersMax),
  citations: z.array(citation).max(citationsMax),
  model: text(shortCharactersMax).nullable(),
  surface: z.enum(surfaces).nullable(),
  sample: count,
  metadata: z.looseObject({}).nullable(),
  // Files of format 1 have none of these.
  searchQueries: z.array(text(searchQueryCharactersMax)).max(searchQueriesMax).optional(),
  cost: cost.nullable().optional(),
  vendor: text(vendorCharactersMax).nullable().optional(),
  requestedRegion: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .nullable()
    .optional(),
  removedText: strictObject({ mentioned: z.array(id), contentHash: sha256 }).optional(),
}).refine((value) => spansFault(value) === null, "has spans that are not of its text");

const label = strictObject({
  answerId: id,
  entityId: id,
  metric: z.enum(labelMetrics),
  labeller: text(shortCharactersMax),
  value: z.boolean(),
  labelledAt: instant,
});

const ofReading = z.string().regex(/^[0-9a-f]{16}$/);
const finding = strictObject({
  entityId: id,
  kind: z.enum(findingKinds),
  aspect: text(shortCharactersMax).nullable(),
  start: count,
  end: count,
  pages: z.array(text(urlCharactersMax)).max(findingsMax),
});
const reading = strictObject({
  answerId: id,
  reader: ofReading,
  sample: z.int().min(0).max(1),
  promptId: id,
  provider: z.enum(providers),
  region: answer.shape.region,
  answeredAt: z.int().refine(isInstant),
  readAt: instant,
  model: text(shortCharactersMax).nullable(),
  costMicros: count,
  lineage: strictObject({
    host: text(domainCharactersMax),
    model: text(shortCharactersMax),
    promptVersion: count,
    promptHash: text(shortCharactersMax),
    parameters: z.looseObject({}),
  }),
  mentioned: z.array(id),
  findings: z.array(finding).max(findingsMax),
  dropped: z.partialRecord(z.enum(dropReasons), count),
}).refine(
  ({ mentioned, findings }) => findings.every(({ entityId }) => mentioned.includes(entityId)),
  "has findings of nobody that it names",
);

/** What the file says of itself at its end. */
const countsSchema = strictObject({
  entities: count,
  topics: count,
  prompts: count,
  keys: count,
  usage: count,
  answers: count,
  // Files of formats 1 to 4 have none of these.
  labels: count.optional(),
  // Files of formats 1 to 5 have none of these.
  readings: count.optional(),
  // Files of formats 1 and 2 have none of these.
  spend: count.optional(),
  sweeps: count.optional(),
});

/** The numbers of lines of each kind; retired items are counted too. */
export type AccountCounts = Readonly<Record<keyof z.infer<typeof countsSchema>, number>>;

/**
 * The lines of a file, in this order: one `account`, then what it declares, its keys, their calls,
 * what its collection cost by day, the sweeps that have ended, its answers in the order of the
 * record, their labels, what models read in them, and one `end`.
 */
export const lineSchemas = {
  account: strictObject({
    kind: z.literal("account"),
    format: z.literal([1, 2, 3, 4, 5, 6]),
    id,
    name: ofFile.name,
    createdAt: instant,
    collection: accountCollectionSchema.optional(),
    views: keptLists.views,
    notes: keptLists.notes,
    sources: keptLists.sources,
    facts: keptLists.facts,
    ignoredNames: keptLists.ignoredNames,
    reports: keptLists.reports,
    accountTags: keptLists.accountTags,
    exportedAt: z.iso.datetime(),
    /** Fingerprint of the pepper under which the keys are hashed. */
    pepper: sha256,
  }),
  entity: strictObject({ kind: z.literal("entity"), retired: z.boolean(), item: entity }),
  topic: strictObject({ kind: z.literal("topic"), retired: z.boolean(), item: topic }),
  prompt: strictObject({ kind: z.literal("prompt"), retired: z.boolean(), item: prompt }),
  key: strictObject({ kind: z.literal("key"), key }),
  usage: strictObject({
    kind: z.literal("usage"),
    keyId,
    day: count,
    calls: count,
  }),
  spend: strictObject({
    kind: z.literal("spend"),
    day: count,
    provider: z.enum(providers),
    vendor: z.enum(vendors),
    calls: count,
    spentMicros: count,
    reservedMicros: count,
    unsettledMicros: count,
    // Files of earlier versions have neither.
    assumedMicros: count.optional(),
    expectedMicros: count.optional(),
  }),
  sweep: strictObject({ kind: z.literal("sweep"), sweep }),
  answer: strictObject({ kind: z.literal("answer"), answer }),
  label: strictObject({ kind: z.literal("label"), label }),
  reading: strictObject({ kind: z.literal("reading"), reading }),
  end: strictObject({ kind: z.literal("end"), counts: countsSchema, sha256 }),
} as const;

/** The kinds of lines, in the order of the file. */
export type LineKind = keyof typeof lineSchemas;

/** A key as a file has it: its hash is hexadecimal. */
export interface MovedKey extends Omit<KeyRecord, "accountId" | "hash" | "personId"> {
  readonly hash: string;
}

/** The first line. */
export interface AccountHead {
  readonly kind: "account";
  /**
   * 1: before answers said how they were collected. 2: without sweeps and what they cost. 3:
   * without the spans of citations. 4: without labels. 5: without readings.
   */
  readonly format: 1 | 2 | 3 | 4 | 5 | 6;
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly collection?: AccountCollection;
  readonly views?: readonly SavedView[];
  readonly notes?: readonly Note[];
  readonly sources?: readonly FileSource[];
  readonly facts?: readonly StatedFact[];
  readonly ignoredNames?: readonly string[];
  /** Those that are declared; reports that were made stay where they are. */
  readonly reports?: readonly DeclaredReport[];
  readonly accountTags?: readonly string[];
  readonly exportedAt: string;
  readonly pepper: string;
}

/** The last line. */
export interface AccountEnd {
  readonly kind: "end";
  readonly counts: AccountCounts;
  /** Of all lines before, with their line feeds. */
  readonly sha256: string;
}

/** A line of the file. */
export type AccountLine =
  | AccountHead
  | DeclaredItem
  | { readonly kind: "key"; readonly key: MovedKey }
  | ({ readonly kind: "usage" } & UsageCount)
  | ({ readonly kind: "spend" } & MovedSpend)
  | { readonly kind: "sweep"; readonly sweep: MovedSweep }
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "label"; readonly label: Label }
  | { readonly kind: "reading"; readonly reading: Reading }
  | AccountEnd;

/** The plural by which lines of a kind are counted; null: there is one. */
export const countedAs: Readonly<Record<LineKind, keyof AccountCounts | null>> = {
  account: null,
  entity: "entities",
  topic: "topics",
  prompt: "prompts",
  key: "keys",
  usage: "usage",
  spend: "spend",
  sweep: "sweeps",
  answer: "answers",
  label: "labels",
  reading: "readings",
  end: null,
};

/** Counts of nothing. */
export function noCounts(): { -readonly [Name in keyof AccountCounts]: number } {
  const declared = { entities: 0, topics: 0, prompts: 0, keys: 0, usage: 0 };
  return { ...declared, answers: 0, labels: 0, readings: 0, spend: 0, sweeps: 0 };
}
