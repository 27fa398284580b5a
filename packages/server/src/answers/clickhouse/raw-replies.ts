import { randomUUID } from "node:crypto";
import type { Vendor } from "@sightline/contract";
import type { Clickhouse } from "../../platform/clickhouse/clickhouse.ts";
import {
  bytesOf,
  clickhouseUuid,
  lengthened,
  textBytes,
} from "../../platform/clickhouse/native-block.ts";
import { constant, type Fragment, type Statement, sql } from "../../platform/sql.ts";
import { uuidBytes } from "../../platform/uuid.ts";
import { type AnswerStore, type RawReply, rawReadBytesMax, unagingAt } from "../answer-store.ts";
import { counted, type SelectedRows, selectedBy } from "./answer-statements.ts";
import type { SequenceRange } from "./record-sequences.ts";
import { type Deployment, insertion, localName, quoted } from "./tables.ts";

/** What raw replies are kept with. */
export interface RawRepliesContext {
  readonly clickhouse: Clickhouse;
  readonly deployment: Deployment;
}

/** What keeps and gives raw replies, of any account. */
export function rawRepliesOf(
  context: RawRepliesContext,
): Pick<AnswerStore, "keepRaw" | "raw" | "rawsOf" | "rawReplies" | "removeRaw" | "removeRawOf"> {
  const { clickhouse } = context;
  return {
    keepRaw: (accountId, reply) => keepRaw(clickhouse, accountId, reply),
    raw: async (accountId, answerId) => {
      const is = sql`answer_id = ${{ type: "String", value: answerId }}`;
      const [reply] = await readReplies(clickhouse, repliesStatement(accountId, is, 1));
      return reply ?? null;
    },
    rawsOf: async (accountId, answerIds) => {
      const isOf = sql`answer_id in ${{ type: "Array(String)", value: answerIds }}`;
      const statement = repliesStatement(accountId, isOf, answerIds.length);
      const replies = await readReplies(clickhouse, statement);
      // Whole, or read up to the last one.
      const isCut = bytesOfReplies(replies) >= rawReadBytesMax;
      const last = replies.at(-1)?.answerId ?? "";
      return { replies, unread: isCut ? answerIds.filter((id) => id > last) : [] };
    },
    rawReplies: async (accountId, after, limit) => {
      const follows = sql`answer_id > ${{ type: "String", value: after ?? "" }}`;
      return readReplies(clickhouse, repliesStatement(accountId, follows, limit));
    },
    removeRaw: (accountId, beforeMs, fromMs = unagingAt + 1) =>
      removeRawBetween({ accountId, fromMs, beforeMs }, context),
    removeRawOf: (accountId, answerIds) => removeRawOf(answerIds, { ...context, accountId }),
  };
}

async function keepRaw(clickhouse: Clickhouse, accountId: string, reply: RawReply): Promise<void> {
  const { answerId, vendor, at, body } = reply;
  const columns = [
    { name: "account_id", type: "UUID", bytes: clickhouseUuid(uuidBytes(accountId)) },
    { name: "answer_id", type: "String", bytes: textBytes(answerId) },
    { name: "vendor", type: "String", bytes: textBytes(vendor) },
    { name: "kept_at", type: "Int64", bytes: bytesOf(BigInt64Array.of(BigInt(at))) },
    { name: "body", type: "String", bytes: lengthened(body) },
  ];
  const token = `${accountId}/${answerId}/${randomUUID()}`;
  await clickhouse.insert(insertion("raw_replies", token, { rows: 1, columns }));
}

const replyShape = { answerId: "text", vendor: "text", at: "number", body: "text" } as const;

/** The replies of an account that a condition on their ids selects, by id. */
function repliesStatement(
  accountId: string,
  condition: Fragment,
  limit: number,
): Statement<typeof replyShape> {
  return {
    // Few rows in a block: each may have megabytes.
    query: sql`select answer_id, vendor, kept_at, base64Encode(body) from raw_replies final
      where account_id = ${{ type: "UUID", value: accountId }} and ${condition}
      order by answer_id limit ${{ type: "UInt64", value: limit }}
      settings max_block_size = 16`,
    shape: replyShape,
  };
}

async function readReplies(
  clickhouse: Clickhouse,
  statement: Statement<typeof replyShape>,
): Promise<readonly RawReply[]> {
  const replies: RawReply[] = [];
  let bytes = 0;
  for await (const { vendor, body, ...row } of clickhouse.stream(statement)) {
    const reply = { ...row, vendor: vendor as Vendor, body: Buffer.from(body, "base64") };
    replies.push(reply);
    bytes += reply.body.length;
    if (bytes >= rawReadBytesMax) break;
  }
  return replies;
}

function bytesOfReplies(replies: readonly RawReply[]): number {
  return replies.reduce((sum, { body }) => sum + body.length, 0);
}

const countShape = { replies: "number" } as const;

interface KeptBetween {
  readonly accountId: string;
  readonly fromMs: number;
  readonly beforeMs: number;
}

async function removeRawBetween(
  { accountId, fromMs, beforeMs }: KeptBetween,
  { clickhouse, deployment }: RawRepliesContext,
): Promise<number> {
  const account = { type: "UUID", value: accountId } as const;
  const from = { type: "Int64", value: fromMs } as const;
  const before = { type: "Int64", value: beforeMs } as const;
  const old = {
    query: sql`select count() from (select answer_id from raw_replies
      where account_id = ${account} group by answer_id
      having max(kept_at) >= ${from} and max(kept_at) < ${before})`,
    shape: countShape,
  } as const satisfies Statement<typeof countShape>;
  const [found] = await clickhouse.query(old);
  if (found === undefined || found.replies === 0) return 0;
  await clickhouse.everywhere(sql`alter table ${localTable(deployment)} delete
    where account_id = ${account} and kept_at >= ${from} and kept_at < ${before}
    settings mutations_sync = 2`);
  return found.replies;
}

/** Whose replies are removed, and where. */
export interface RawRemovalContext extends RawRepliesContext {
  readonly accountId: string;
}

/** Ids of one statement: they take 80 KB of a request, of which the server reads 128. */
const idsAtOnce = 2_000;

/** Removes the raw replies of some answers, and waits until they are gone. */
export async function removeRawOf(
  answerIds: readonly string[],
  { clickhouse, deployment, accountId }: RawRemovalContext,
): Promise<void> {
  const account = { type: "UUID", value: accountId } as const;
  for (let first = 0; first < answerIds.length; first += idsAtOnce) {
    const some = answerIds.slice(first, first + idsAtOnce);
    const these = sql`account_id = ${account}
      and answer_id in ${{ type: "Array(String)", value: some }}`;
    if (!(await isAny(clickhouse, these))) continue;
    await clickhouse.everywhere(sql`alter table ${localTable(deployment)} delete where ${these}
      settings mutations_sync = 2`);
  }
}

/** Answers of a record. */
export interface SelectedAnswers {
  readonly places: SequenceRange;
  readonly rows: SelectedRows;
}

/**
 * Removes the raw replies of the selected answers, and waits until they are gone. Those of answers
 * that do not count stay: somebody may be about to record them again.
 */
export async function removeRawSelected(
  { places, rows }: SelectedAnswers,
  { clickhouse, deployment, accountId }: RawRemovalContext,
): Promise<void> {
  const account = { type: "UUID", value: accountId } as const;
  const of = (answers: string) => sql`account_id = ${account} and answer_id in (
    select toString(id) from ${constant(answers)}
    where ${counted(accountId, places)} and ${selectedBy(rows)})`;
  if (!(await isAny(clickhouse, of("answers")))) return;
  // An account's answers and replies are on the same shard.
  const answers = `${quoted(deployment.database)}.${localName("answers", deployment)}`;
  await clickhouse.everywhere(sql`alter table ${localTable(deployment)} delete
    where ${of(answers)}
    settings mutations_sync = 2, allow_nondeterministic_mutations = 1`);
}

/** To look costs little, and to remove writes whole parts again. */
async function isAny(clickhouse: Clickhouse, condition: Fragment): Promise<boolean> {
  const query = sql`select count() from raw_replies where ${condition}`;
  const [found] = await clickhouse.query({ query, shape: countShape });
  return found !== undefined && found.replies > 0;
}

function localTable(deployment: Deployment): Fragment {
  return constant(localName("raw_replies", deployment));
}
