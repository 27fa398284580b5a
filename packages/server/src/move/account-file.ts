import {
  type AccountCollection,
  accountCollectionSchema,
  collectionRuleSchema,
  providers,
  scopes,
  strictObject,
  vendors,
} from "@sightline/contract";
import { z } from "zod";
import { type Answer, outcomes, surfaces } from "../answers/answer.ts";
import type { DeclaredItem } from "../control/account-moves.ts";
import type { MovedSpend, MovedSweep } from "../control/collection/moved-collection.ts";
import type { KeyRecord } from "../control/key-store.ts";
import type { UsageCount } from "../control/usage-store.ts";

/** A file that carries an account is not one, is damaged, or does not fit its target. */
export class MoveError extends Error {
  constructor(message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.name = "MoveError";
  }
}

/** An answer's line may be longer than the imported one: numbers are written out. */
export const lineBytesMax = 32 * 1024 * 1024;

const id = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);
const instant = z.int().min(0);
const limit = z.union([z.literal("off"), z.int().min(1)]).nullable();
const name = strictObject({ name: z.string(), caseSensitive: z.boolean() });

const entity = strictObject({
  id,
  kind: z.enum(["brand", "competitor"]),
  name: z.string(),
  caseSensitive: z.boolean(),
  aliases: z.array(name),
  domains: z.array(z.string()),
  except: z.array(z.string()).optional(),
});
const collection = collectionRuleSchema.optional();
const topic = strictObject({ id, name: z.string(), collection });
const prompt = strictObject({
  id,
  text: z.string(),
  topicId: id.nullable(),
  branded: z.boolean(),
  paused: z.boolean(),
  collection,
});

const key = strictObject({
  id: z.string().regex(/^[0-9A-Za-z_-]{1,64}$/),
  name: z.string(),
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
        ...{ jobs: count, queued: count, underWay: count, done: count, spentMicros: count },
        failed: z.array(strictObject({ reason: z.string(), jobs: count })),
        publishedAt: instant,
        allFailed: z.boolean().nullable(),
      }),
    )
    .min(1),
});

const answer = strictObject({
  id,
  promptId: id,
  provider: z.enum(providers),
  region: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .nullable(),
  answeredAt: z.int(),
  outcome: z.enum(outcomes),
  text: z.string(),
  citations: z.array(
    strictObject({
      url: z.string(),
      title: z.string().nullable(),
      cited: z.boolean(),
      // Files of formats 1 to 3 have none.
      spans: z.array(z.tuple([count, count])).optional(),
    }),
  ),
  model: z.string().nullable(),
  surface: z.enum(surfaces).nullable(),
  sample: count,
  metadata: z.looseObject({}).nullable(),
  // Files of format 1 have none of these.
  searchQueries: z.array(z.string()).optional(),
  cost: strictObject({ amount: z.number().min(0), currency: z.string(), estimated: z.boolean() })
    .nullable()
    .optional(),
  vendor: z.string().nullable().optional(),
  requestedRegion: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .nullable()
    .optional(),
  removedText: strictObject({ mentioned: z.array(id), contentHash: sha256 }).optional(),
});

/** What the file says of itself at its end. */
export const countsSchema = strictObject({
  entities: count,
  topics: count,
  prompts: count,
  keys: count,
  usage: count,
  answers: count,
  // Files of formats 1 and 2 have none of these.
  spend: count.optional(),
  sweeps: count.optional(),
});

/** The numbers of lines of each kind; retired items are counted too. */
export type AccountCounts = Readonly<Record<keyof z.infer<typeof countsSchema>, number>>;

/**
 * The lines of a file, in this order: one `account`, then what it declares, its keys, their calls,
 * what its collection cost by day, the sweeps that have ended, its answers in the order of the
 * record, and one `end`.
 */
export const lineSchemas = {
  account: strictObject({
    kind: z.literal("account"),
    format: z.literal([1, 2, 3, 4]),
    id,
    name: z.string(),
    createdAt: instant,
    collection: accountCollectionSchema.optional(),
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
    ...{ keyId: z.string(), day: z.int().min(0), calls: count },
  }),
  spend: strictObject({
    ...{ kind: z.literal("spend"), day: count },
    ...{ provider: z.enum(providers), vendor: z.enum(vendors) },
    ...{ calls: count, spentMicros: count, reservedMicros: count, unsettledMicros: count },
    // Files of earlier versions have neither.
    ...{ assumedMicros: count.optional(), expectedMicros: count.optional() },
  }),
  sweep: strictObject({ kind: z.literal("sweep"), sweep }),
  answer: strictObject({ kind: z.literal("answer"), answer }),
  end: strictObject({ kind: z.literal("end"), counts: countsSchema, sha256 }),
} as const;

/** The kinds of lines, in the order of the file. */
export type LineKind = keyof typeof lineSchemas;

/** A key as a file has it: its hash is hexadecimal. */
export interface MovedKey extends Omit<KeyRecord, "accountId" | "hash"> {
  readonly hash: string;
}

/** The first line. */
export interface AccountHead {
  readonly kind: "account";
  /**
   * 1: before answers said how they were collected. 2: without sweeps and what they cost. 3:
   * without the spans of citations.
   */
  readonly format: 1 | 2 | 3 | 4;
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly collection?: AccountCollection;
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
  end: null,
};

/** Counts of nothing. */
export function noCounts(): { -readonly [Name in keyof AccountCounts]: number } {
  const declared = { entities: 0, topics: 0, prompts: 0, keys: 0, usage: 0 };
  return { ...declared, answers: 0, spend: 0, sweeps: 0 };
}
