import type { TaggedWorkspaceFile } from "@sightline/client";
import { type CellFault, columnLetter, type MappedAnswer } from "@sightline/sheets";
import type { SheetReading } from "@sightline/sheets/sheet-file";
import { useId } from "react";
import { countOf, countText, dateText } from "../data/format.ts";
import { providerName } from "../data/names.ts";
import { inputClass } from "../parts/fields.tsx";
import { RegionLabel } from "../parts/region-label.tsx";
import { Table } from "../parts/table.tsx";
import { type SheetDraft, withEdit } from "./sheet-draft.ts";
import { UnknownPrompts } from "./sheet-prompts.tsx";
import css from "./sheet-wizard.module.css";

interface CheckStepProps {
  readonly reading: SheetReading;
  readonly draft: SheetDraft;
  /** What is tracked; undefined: not known. */
  readonly workspace: TaggedWorkspaceFile | undefined;
  readonly onChange: (part: Partial<SheetDraft>) => void;
  /** More prompts are tracked. */
  readonly onAdded: () => void;
}

/** The first answers as they will be read, and the cells that no answer can be read from. */
export function CheckStep({ reading, draft, workspace, onChange, onAdded }: CheckStepProps) {
  const { answersCount, rejectedCount, preview, rejected, unknownPrompts } = reading;
  return (
    <>
      <p role="status">
        {countOf(answersCount, "answer")} can be imported, {countOf(rejectedCount, "row")} cannot.
      </p>
      {rejected.length === 0 ? null : (
        <section className={css["part"]}>
          <h3>Rejected rows{rejectedCount > rejected.length ? ", the first of them" : ""}</h3>
          <p className="small quiet">
            Correct a cell here, then press Check again. Rows that stay as they are are left out.
          </p>
          <RejectedTable {...{ reading, draft, onChange }} />
        </section>
      )}
      {unknownPrompts.length === 0 || workspace === undefined ? null : (
        <UnknownPrompts {...{ unknownPrompts, workspace, onAdded }} meant={{ draft, onChange }} />
      )}
      {preview.length === 0 ? null : (
        <section className={css["part"]}>
          <h3>The first {countOf(preview.length, "answer")}</h3>
          <PreviewTable preview={preview} />
        </section>
      )}
    </>
  );
}

/** An answer's line, as far as it is shown. */
interface ShownAnswer {
  readonly prompt?: string;
  readonly promptId?: string;
  readonly provider?: string;
  readonly answeredAt?: string;
  readonly region?: string;
  readonly text?: string;
  readonly outcome?: string;
  readonly citations?: readonly object[];
}

function PreviewTable({ preview }: { readonly preview: readonly MappedAnswer[] }) {
  const rows = preview.map(({ rows: [first], line }) => {
    return { row: first?.number ?? 0, answer: JSON.parse(line ?? "{}") as ShownAnswer };
  });
  return (
    <Table
      caption="The first answers as they will be read"
      isPlain
      rows={rows}
      keyOf={({ row }) => row}
      columns={[
        { key: "row", title: "Row", figure: true, cell: ({ row }) => countText(row) },
        {
          key: "prompt",
          main: true,
          title: "Prompt",
          cell: ({ answer }) => <Long text={answer.prompt ?? answer.promptId ?? ""} />,
        },
        {
          key: "provider",
          title: "Provider",
          cell: ({ answer }) => providerName(answer.provider ?? ""),
        },
        {
          key: "at",
          title: "Answered (UTC)",
          cell: ({ answer }) => (
            <span className={css["time"]}>
              {dateText(answer.answeredAt ?? "", "instant").replace(" UTC", "")}
            </span>
          ),
        },
        {
          key: "region",
          title: "Country",
          drops: 1,
          cell: ({ answer }) =>
            answer.region === undefined ? "–" : <RegionLabel code={answer.region} />,
        },
        {
          key: "text",
          title: "Answer",
          cell: ({ answer }) => <Long text={answer.text ?? answer.outcome ?? ""} />,
        },
        {
          key: "citations",
          title: "Sources",
          figure: true,
          cell: ({ answer }) => countText(answer.citations?.length ?? 0),
        },
      ]}
    />
  );
}

function Long({ text }: { readonly text: string }) {
  return <span className={css["long"]}>{text}</span>;
}

interface RejectedTableProps {
  readonly reading: SheetReading;
  readonly draft: SheetDraft;
  readonly onChange: (part: Partial<SheetDraft>) => void;
}

function RejectedTable({ reading, draft, onChange }: RejectedTableProps) {
  const about = useId();
  const nameOf = ({ place }: CellFault) => {
    const column = reading.columns.columns.find((each) => each.place === place);
    return column?.name ?? (place === null ? "–" : columnLetter(place));
  };
  return (
    <Table
      caption="Rejected rows"
      rows={reading.rejected.flatMap(({ faults }) => faults)}
      keyOf={({ row, place, message }) => `${row} ${place} ${message}`}
      columns={[
        { key: "row", title: "Row", figure: true, cell: ({ row }) => countText(row) },
        { key: "column", title: "Column", cell: nameOf },
        {
          key: "cell",
          title: "What it says",
          cell: (fault) => (
            <div className={css["mend"]}>
              {fault.place === null ? null : (
                <input
                  className={inputClass}
                  aria-label={`Row ${fault.row}, ${nameOf(fault)}`}
                  aria-describedby={`${about}${fault.row}-${fault.place}`}
                  value={draft.edits.get(fault.row)?.get(fault.place) ?? fault.cell}
                  onChange={({ target }) => {
                    const at = { row: fault.row, place: fault.place ?? 0 };
                    onChange({ edits: withEdit(draft, at, target.value) });
                  }}
                />
              )}
              <p id={`${about}${fault.row}-${fault.place}`} className="small quiet">
                {sentence(fault.message)}
              </p>
            </div>
          ),
        },
      ]}
    />
  );
}

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
