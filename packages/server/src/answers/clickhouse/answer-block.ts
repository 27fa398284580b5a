import {
  type BlockColumn,
  bytesOf,
  clickhouseUuid,
  textBytes,
} from "../../platform/clickhouse/native-block.ts";
import { uuidBytes } from "../../platform/uuid.ts";
import type { Answer } from "../answer.ts";

/** What is stored with an answer in addition to its content. */
export interface AnswerKeys {
  readonly sequence: number;
  readonly hash: Buffer;
  readonly recordedAt: number;
}

/** Answers on their way to ClickHouse: the bytes of each column, one after the other. */
export class AnswerBlock {
  readonly #accountId: Buffer;
  readonly #columns = new Map<string, { readonly type: string; readonly parts: Uint8Array[] }>();
  #rows = 0;

  constructor(accountId: string) {
    this.#accountId = clickhouseUuid(uuidBytes(accountId));
  }

  get rows(): number {
    return this.#rows;
  }

  /** Adds an answer. @throws when one of its numbers is not an integer. */
  add(answer: Answer, { sequence, hash, recordedAt }: AnswerKeys): void {
    this.#rows++;
    this.#push("account_id", "UUID", this.#accountId);
    this.#push("sequence", "UInt64", integer(sequence));
    this.#push("id", "UUID", clickhouseUuid(uuidBytes(answer.id)));
    this.#push("content_hash", "FixedString(32)", hash);
    this.#push("prompt_id", "UUID", clickhouseUuid(uuidBytes(answer.promptId)));
    this.#text("provider", answer.provider);
    this.#text("region", answer.region ?? "");
    this.#push("answered_at", "Int64", integer(answer.answeredAt));
    this.#text("outcome", answer.outcome);
    this.#text("text", answer.text);
    this.#text("citations", JSON.stringify(answer.citations));
    this.#text("model", JSON.stringify(answer.model));
    this.#text("surface", answer.surface ?? "");
    this.#push("sample", "UInt64", integer(answer.sample));
    this.#text("metadata", JSON.stringify(answer.metadata));
    this.#push("recorded_at", "Int64", integer(recordedAt));
    const { removedText } = answer;
    this.#text("mentioned", removedText === undefined ? "" : JSON.stringify(removedText.mentioned));
    const { searchQueries, cost } = answer;
    this.#text("search_queries", searchQueries.length === 0 ? "" : JSON.stringify(searchQueries));
    this.#text("cost", cost === null ? "" : JSON.stringify(cost));
    this.#text("vendor", answer.vendor ?? "");
    this.#text("requested_region", answer.requestedRegion ?? "");
  }

  /** The rows as columns side by side. */
  columns(): readonly BlockColumn[] {
    return [...this.#columns].map(([name, { type, parts }]) => {
      return { name, type, bytes: Buffer.concat(parts) };
    });
  }

  #text(name: string, text: string): void {
    this.#push(name, "String", textBytes(text));
  }

  #push(name: string, type: string, bytes: Uint8Array): void {
    const column = this.#columns.get(name) ?? { type, parts: [] };
    this.#columns.set(name, column);
    column.parts.push(bytes);
  }
}

function integer(value: number): Uint8Array {
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is not an INTEGER`);
  return bytesOf(BigInt64Array.of(BigInt(value)));
}
