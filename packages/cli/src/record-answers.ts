import type { RejectedLine } from "@sightline/client";
import { declaredPromptsOf } from "@sightline/server/account-store";
import { csvLines } from "@sightline/server/csv-lines";
import { decompressed } from "@sightline/server/decompress";
import { importAnswers, type ReadLines } from "@sightline/server/import-answers";
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

/** Nobody sits before a long import: a service that starts again is waited for. */
const patience = { retriesMax: 8, timeoutMs: 180_000 };

/** Sends answers to a service, which records them in the account of the key. */
export function recordOverHttp(connection: Profile): RecordAnswers {
  return (chunks, format, { source, onProgress, onRejected }) =>
    withClient(
      connection,
      async ({ answers }) => {
        const plain = decompressed(chunks);
        const read = format === "csv" ? csvLines : format;
        const records = read === "ndjson" ? null : new SentRecords(read(plain), onRejected);
        const total = <Tally extends { readonly rejected: number }>(tally: Tally): Tally => {
          return { ...tally, rejected: tally.rejected + (records?.rejected ?? 0) };
        };
        const { errors: _, ...tally } = await answers.import(records?.lines() ?? plain, {
          // As it is shown, and as the service takes it: a file may have any name.
          source: [...safeText(source)].slice(0, 255).join(""),
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
