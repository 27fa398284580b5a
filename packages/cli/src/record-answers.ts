import type { AnswerLines, ImportResult, RejectedLine, Sightline } from "@sightline/client";
import { declaredPromptsOf } from "@sightline/server/account-store";
import { answerRecords, type CsvRecords, csvLines } from "@sightline/server/csv-lines";
import { decompressed } from "@sightline/server/decompress";
import { importAnswers, type ReadLines } from "@sightline/server/import-answers";
import { importLabels, labelRecords } from "@sightline/server/import-labels";
import type { Storage } from "@sightline/server/storage";
import type { Profile } from "./connection/profile-file.ts";
import { withClient } from "./connection/with-client.ts";
import type { RecordAnswers } from "./import-file.ts";
import { safeText } from "./output/safe-text.ts";
import type { SavedLine } from "./rejected-lines.ts";

/** Records answers in an account's record. */
export function recordHere(storage: Storage, accountId: string): RecordAnswers {
  return async (chunks, format, told) =>
    importAnswers(decompressed(chunks), {
      accountId,
      format,
      prompts: await declaredPromptsOf(storage.control, accountId),
      now: storage.clock.now,
      store: storage.answers,
      control: storage.control,
      clock: storage.clock,
      ...told,
    });
}

/** Stores labels of an account's answers. */
export function labelHere(storage: Storage, accountId: string): RecordAnswers {
  return async (chunks, format, { onProgress, onRejected }) => {
    const tally = await importLabels(decompressed(chunks), {
      accountId,
      format: format === "csv" ? "csv" : "ndjson", // no mapping is of labels
      now: storage.clock.now,
      store: storage.answers,
      control: storage.control,
      onProgress: (soFar) => onProgress({ ...soFar, warnings: 0 }),
      onRejected,
    });
    return { ...tally, warnings: 0 };
  };
}

/** Nobody sits before a long import: a service that starts again is waited for. */
const patience = { retriesMax: 8, timeoutMs: 180_000 };

/** Sends answers to a service, which records them in the account of the key. */
export function recordOverHttp(connection: Profile): RecordAnswers {
  return sentBy(connection, answerRecords, ({ answers }, lines, { source, ...told }) =>
    // As it is shown, and as the service takes it: a file may have any name.
    answers.import(lines, { source: [...safeText(source)].slice(0, 255).join(""), ...told }),
  );
}

/** Sends labels to a service, which stores them in the account of the key. */
export function labelOverHttp(connection: Profile): RecordAnswers {
  return sentBy(connection, labelRecords, async ({ labels }, lines, { onProgress, onRejected }) => {
    const done = await labels.import(lines, {
      onProgress: (soFar) => onProgress({ ...soFar, warnings: 0 }),
      onRejected,
    });
    return { ...done, warnings: 0 };
  });
}

/** What a sent import tells as it goes on. */
interface ToldOver {
  readonly source: string;
  readonly onProgress: (result: ImportResult) => void;
  readonly onRejected: (lines: readonly RejectedLine[]) => Promise<void>;
}

function sentBy(
  connection: Profile,
  kind: CsvRecords,
  send: (client: Sightline, lines: AnswerLines, told: ToldOver) => Promise<ImportResult>,
): RecordAnswers {
  return (chunks, format, { source, onProgress, onRejected }) =>
    withClient(
      connection,
      async (client) => {
        const plain = decompressed(chunks);
        const ofKind: ReadLines = (each) => csvLines(each, kind);
        const read = format === "csv" ? ofKind : format;
        const records = read === "ndjson" ? null : new SentRecords(read(plain), onRejected);
        const total = <Tally extends { readonly rejected: number }>(tally: Tally): Tally => {
          return { ...tally, rejected: tally.rejected + (records?.rejected ?? 0) };
        };
        const { errors: _, ...tally } = await send(client, records?.lines() ?? plain, {
          source,
          onProgress: (result) => onProgress(total(result)),
          onRejected: (lines) => {
            const lineOf = (line: number) => records?.numbers[line - 1] ?? line;
            return onRejected(lines.map((each) => savedLine(each, lineOf(each.line))));
          },
        });
        return total(tally);
      },
      patience,
    );
}

/** The records of a table on their way to a service, as lines of NDJSON. */
class SentRecords {
  /** The number of each sent line in the stream. */
  readonly numbers: number[] = [];
  /** Those that were rejected before they were sent. */
  rejected = 0;
  readonly #records: ReturnType<ReadLines>;
  readonly #onRejected: (lines: readonly SavedLine[]) => Promise<void>;

  constructor(
    records: ReturnType<ReadLines>,
    onRejected: (lines: readonly SavedLine[]) => Promise<void>,
  ) {
    this.#records = records;
    this.#onRejected = onRejected;
  }

  async *lines(): AsyncGenerator<string> {
    for await (const { number, bytes, rejection } of this.#records) {
      if (rejection === undefined) {
        this.numbers.push(number);
        yield `${bytes}\n`;
      } else {
        this.rejected++;
        await this.#onRejected([{ line: number, bytes, ...rejection }]);
      }
    }
  }
}

function savedLine({ input, bytes, errors }: RejectedLine, line: number): SavedLine {
  const reasons = errors.map(({ path, message }) =>
    path === "" ? message : `${path}: ${message}`,
  );
  const fields = errors.filter(({ path }) => path !== "");
  return { line, reason: reasons.join(" "), errors: fields, bytes: Buffer.from(bytes ?? input) };
}
