import { ApiError } from "@sightline/client";
import { isOwnCsv } from "@sightline/sheets/own-csv";
import { Suspense, useRef, useState } from "react";
import { faultText } from "../data/fault-text.ts";
import { countOf, countText, percentText } from "../data/format.ts";
import { later } from "../data/later.ts";
import { changeView } from "../data/use-view.ts";
import { plainView } from "../data/view.ts";
import { Button, IconButton } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { told } from "../parts/save.ts";
import { Table } from "../parts/table.tsx";
import { Worded } from "../parts/worded.tsx";
import css from "./imports.module.css";
import { SheetThread } from "./sheet-thread.ts";
import { type LineFault, type Upload, useUploads } from "./uploads.ts";

const SheetWizard = later(async () => (await import("./sheet-wizard.tsx")).SheetWizard);

/** Takes files that are dropped or chosen, and shows what becomes of them. */
export function ImportDrop() {
  const { list, begin, clear } = useUploads();
  // Files that are read together, one wizard after the other.
  const [sheets, setSheets] = useState<readonly (readonly File[])[]>([]);
  const [sheet, ...others] = sheets;
  const take = async (files: readonly File[]) => {
    const [mapped, plain] = await sorted(files);
    const groups = await grouped(mapped);
    setSheets((before) => [...before, ...groups]);
    await begin(plain.map((file) => ({ name: file.name, content: file })));
  };
  return (
    <>
      <DropZone onFiles={(files) => told(take(files))} />
      {sheet === undefined ? null : (
        <Suspense>
          <SheetWizard
            key={`${sheet[0]?.name} ${others.length}`}
            files={sheet}
            onClose={() => setSheets(others)}
            onImport={(file) => {
              setSheets(others);
              void begin([file]);
            }}
          />
        </Suspense>
      )}
      {list.map((each) => (
        <UploadCard
          key={each.key}
          upload={each}
          onClear={() => clear(each.key)}
          onAgain={() => {
            clear(each.key);
            void begin([each.file]);
          }}
        />
      ))}
    </>
  );
}

/** Tables that need a mapping, and files that the service reads as they are. */
async function sorted(files: readonly File[]) {
  const mapped: File[] = [];
  const plain: File[] = [];
  for (const file of files) {
    const isTable = /\.(csv|tsv|tab|txt|xlsx|xlsm|xls|db|sqlite3?)$/i.test(file.name);
    const isOwn = isTable && isOwnCsv(new Uint8Array(await file.slice(0, 65_536).arrayBuffer()));
    if ((isTable && !isOwn) || (await isTableList(file))) mapped.push(file);
    else plain.push(file);
  }
  return [mapped, plain] as const;
}

const accepted =
  ".ndjson,.jsonl,.json,.csv,.tsv,.tab,.txt,.xlsx,.xlsm,.xls,.db,.sqlite,.sqlite3,.gz,.zst";

/** JSON with lists of rows; of lines, each is an answer, which the service reads. */
async function isTableList(file: File): Promise<boolean> {
  if (!/\.json$/i.test(file.name)) return false;
  return /^\s*(\[|\{\s*"[^"]*"\s*:\s*\[)/.test(await file.slice(0, 4_096).text());
}

/** Tables of one export are read together. */
async function grouped(files: readonly File[]): Promise<readonly (readonly File[])[]> {
  if (files.length < 2) return files.map((file) => [file]);
  const thread = new SheetThread();
  try {
    const groups = await thread.groups(files);
    return groups.map((places) => places.flatMap((place) => files[place] ?? []));
  } finally {
    thread.close();
  }
}

function DropZone({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const take = (files: FileList | null) => {
    onFiles([...(files ?? [])]);
    if (input.current !== null) input.current.value = "";
  };
  return (
    <div
      className={`${css["drop"]} ${isOver ? css["over"] : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
    >
      <Icon name="upload" />
      <p>
        <strong>Drop files of answers here</strong>
        <span>
          Spreadsheets (.xlsx, .csv, .tsv), or NDJSON (.gz, .zst), of any length; tables of one
          export together
        </span>
      </p>
      <input
        ref={input}
        type="file"
        multiple
        className="visually-hidden"
        accept={accepted}
        aria-label="Files of answers"
        tabIndex={-1}
        onChange={({ target }) => take(target.files)}
      />
      <Button onClick={() => input.current?.click()}>Choose files</Button>
      <a href="/docs/guide/import" target="_blank" rel="noreferrer">
        How a file is written
      </a>
    </div>
  );
}

interface UploadCardProps {
  readonly upload: Upload;
  readonly onClear: () => void;
  /** Sends it once more: what was accepted before counts as a duplicate, the rest is added. */
  readonly onAgain: () => void;
}

function UploadCard({ upload, onClear, onAgain }: UploadCardProps) {
  const { name, result, error, cancel } = upload;
  const isDone = result !== null || error !== null;
  return (
    <section className={css["upload"]} aria-label={`Import of ${name}`}>
      <header className={css["uploadHead"]}>
        <strong>{name}</strong>
        {isDone ? (
          <IconButton icon="close" label={`Dismiss ${name}`} onClick={onClear} />
        ) : (
          <Button onClick={cancel}>Cancel</Button>
        )}
      </header>
      {error !== null ? (
        <UploadFailure error={error} onAgain={onAgain} />
      ) : result === null ? (
        <Progress upload={upload} />
      ) : (
        <UploadOutcome upload={upload} result={result} />
      )}
    </section>
  );
}

function Progress({ upload: { name, bytes, sentBytes } }: { readonly upload: Upload }) {
  const share = bytes === 0 ? 0 : Math.min(1, sentBytes / bytes);
  const isSent = bytes > 0 && sentBytes >= bytes;
  return (
    <div className={css["progress"]} role="status">
      <progress aria-label={`Progress of ${name}`} max={1} value={share} />
      <span>
        {isSent ? "Sent; the service writes the last lines …" : `${percentText(share, 0)} sent`}
      </span>
    </div>
  );
}

interface UploadFailureProps {
  readonly error: Error;
  readonly onAgain: () => void;
}

function UploadFailure({ error, onAgain }: UploadFailureProps) {
  const refusal = error instanceof ApiError ? error : null;
  const isCancelled = error.name === "AbortError";
  return (
    <div role="alert">
      <p>
        <Worded
          text={
            isCancelled
              ? "Cancelled. What was accepted before is recorded, and listed below as an import."
              : faultText(error)
          }
        />
      </p>
      {refusal?.requestId == null ? null : (
        <p className="small quiet">Request {refusal.requestId}</p>
      )}
      <p className={css["next"]}>
        <Button onClick={onAgain}>Send again</Button>
      </p>
    </div>
  );
}

interface UploadOutcomeProps {
  readonly upload: Upload;
  readonly result: NonNullable<Upload["result"]>;
}

function UploadOutcome({ upload, result }: UploadOutcomeProps) {
  const { accepted, duplicates, rejected, warnings, errors } = result;
  const { rowNumbers } = upload;
  const named = new Set(errors.map(({ line }) => line)).size;
  return (
    <>
      <dl className={css["counts"]}>
        <Count title="Accepted" count={accepted} />
        <Count title="Duplicates" count={duplicates} />
        <Count title="Rejected" count={rejected} isBad />
        <Count title="Warnings" count={warnings} />
      </dl>
      {accepted === 0 ? null : (
        <p className={css["next"]}>
          The answers count within a second.
          <Button onClick={() => changeView({ page: "overview", own: plainView.own })}>
            See the overview
          </Button>
        </p>
      )}
      {warnings === 0 ? null : (
        <p className="small quiet">
          {countOf(warnings, "citation")} of accepted answers are kept and never counted: they are
          not http or https addresses.
        </p>
      )}
      {errors.length === 0 ? null : (
        <div className={css["rejected"]}>
          <h3>
            Rejected {rowNumbers === null ? "lines" : "rows"}
            {named < rejected ? `, the first ${named} of ${countText(rejected)}` : ""}
          </h3>
          <Table
            caption="Rejected lines"
            rows={errors}
            keyOf={({ line, path, message }) => `${line} ${path} ${message}`}
            columns={[
              {
                key: "line",
                title: rowNumbers === null ? "Line" : "Row",
                figure: true,
                cell: ({ line }) => countText(rowNumbers?.[line - 1] ?? line),
              },
              { key: "why", title: "Why", cell: (fault) => <Why fault={fault} /> },
              {
                key: "text",
                title: "What it says",
                drops: 1,
                cell: ({ line }) => (
                  <code className={css["line"]}>{upload.lines.get(line) ?? "–"}</code>
                ),
              },
            ]}
          />
        </div>
      )}
    </>
  );
}

function Why({ fault: { path, message } }: { readonly fault: LineFault }) {
  return (
    <>
      {path === "" ? null : <code>{path.slice(1)}</code>} {message}
    </>
  );
}

interface CountProps {
  readonly title: string;
  readonly count: number;
  readonly isBad?: boolean;
}

function Count({ title, count, isBad = false }: CountProps) {
  return (
    <div className={isBad && count > 0 ? css["bad"] : undefined}>
      <dt>{title}</dt>
      <dd>{countText(count)}</dd>
    </div>
  );
}
