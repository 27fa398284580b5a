import type { Provider } from "@sightline/client";
import { providerNames } from "@sightline/contract/providers";
import {
  columnLetter,
  encodings,
  type SheetField,
  separators,
  type TableFormat,
} from "@sightline/sheets";
import type { OpenedSheet, SheetHead } from "@sightline/sheets/sheet-file";
import { countOf } from "../data/format.ts";
import { ChoiceField, type ChoiceFieldProps } from "../parts/choice-field.tsx";
import { Field, inputClass } from "../parts/fields.tsx";
import { Table } from "../parts/table.tsx";
import {
  encodingTexts,
  fieldTexts,
  type Proposed,
  type SheetDraft,
  separatorTexts,
  widthOf,
  withField,
  withHeader,
} from "./sheet-draft.ts";
import css from "./sheet-wizard.module.css";

interface ColumnsStepProps {
  readonly opened: OpenedSheet;
  readonly head: SheetHead;
  readonly draft: SheetDraft;
  readonly onChange: (part: Partial<SheetDraft>) => void;
  readonly onFormat: (format: TableFormat, chosen: Proposed) => void;
}

/** The tool whose export a file is, and what of it is left out. */
function SourceNote({ source }: Pick<SheetHead, "source">) {
  if (source === null) return null;
  const { title, mapping, dropped } = source;
  if (mapping === null) return null;
  return (
    <>
      <p role="status">
        This is an export of {title}: its columns are filled in. A date without a time of day counts
        as noon UTC.
      </p>
      <details>
        <summary>{countOf(dropped.length, "column")} left out</summary>
        <ul className={css["cells"]}>
          {dropped.map(({ column, why }) => (
            <li key={column}>
              {column}: {why}
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

/** How the file is read, and what each of its columns is. */
export function ColumnsStep({ opened, head, draft, onChange, onFormat }: ColumnsStepProps) {
  const rows = head.rows.filter(({ number }) => number > draft.headerRow).slice(0, 3);
  const header = head.rows.find(({ number }) => number === draft.headerRow);
  const places = Array.from({ length: widthOf(head) }, (_, place) => place);
  return (
    <>
      <div className={css["choices"]}>
        <FormatFields opened={opened} draft={draft} onFormat={onFormat} />
        <HeaderField head={head} draft={draft} onChange={onChange} />
      </div>
      <SourceNote source={head.source} />
      <h3>Columns</h3>
      <Table
        caption="Columns of the file"
        rows={places}
        keyOf={(place) => place}
        columns={[
          {
            key: "name",
            title: "Column",
            cell: (place) => header?.cells[place]?.trim() || columnLetter(place),
          },
          {
            key: "is",
            title: "Is",
            cell: (place) => (
              <FieldSelect
                name={header?.cells[place]?.trim() || columnLetter(place)}
                value={draft.fields[place] ?? null}
                onChange={(field) => onChange({ fields: withField(draft, place, field) })}
              />
            ),
          },
          {
            key: "cells",
            title: "First cells",
            cell: (place) => (
              <ul className={css["cells"]}>
                {rows.map(({ number, cells }) => (
                  <li key={number}>{cells[place] ?? ""}</li>
                ))}
              </ul>
            ),
          },
        ]}
      />
      <RestFields draft={draft} onChange={onChange} />
    </>
  );
}

interface FormatFieldsProps {
  readonly opened: OpenedSheet;
  readonly draft: SheetDraft;
  readonly onFormat: (format: TableFormat, chosen: Proposed) => void;
}

function FormatFields({ opened, draft: { format, proposed }, onFormat }: FormatFieldsProps) {
  const { sheet = "", encoding = encodings[0], separator = separators[0] } = format;
  if (opened.kind === "workbook") {
    if (opened.sheets.length < 2) return null;
    return (
      <Proposal
        label="Sheet"
        isOpen={proposed.includes("sheet")}
        hint={`The file has several. The cells below are of “${sheet}”.`}
        value={sheet}
        options={opened.sheets.map((name) => [name, name])}
        onChange={(chosen) => onFormat({ sheet: chosen }, "sheet")}
      />
    );
  }
  return (
    <>
      <Proposal
        label="Encoding"
        isOpen={proposed.includes("encoding")}
        hint={
          "The file does not tell. The cells below are shown as " +
          `${encodingTexts[encoding]}: are letters such as ä right?`
        }
        value={encoding}
        options={encodings.map((each) => [each, encodingTexts[each]])}
        onChange={(chosen) => onFormat({ ...format, encoding: chosen }, "encoding")}
      />
      <Proposal
        label="Separator"
        isOpen={proposed.includes("separator")}
        hint={
          "The rows do not tell. The columns below are those of " +
          `“${separatorTexts[separator]}”: is each a column of its own?`
        }
        value={separator}
        options={separators.map((each) => [each, separatorTexts[each]])}
        onChange={(chosen) => onFormat({ ...format, separator: chosen }, "separator")}
      />
    </>
  );
}

interface HeaderFieldProps {
  readonly head: SheetHead;
  readonly draft: SheetDraft;
  readonly onChange: (part: Partial<SheetDraft>) => void;
}

function HeaderField({ head, draft, onChange }: HeaderFieldProps) {
  const rows = head.rows.slice(0, 20).map(({ number, cells }) => {
    const said = cells.filter((cell) => cell.trim() !== "").join(" · ");
    return [String(number), `Row ${number}: ${said.slice(0, 60)}`] as const;
  });
  const taken = draft.headerRow === 0 ? "no row" : `row ${draft.headerRow}`;
  return (
    <Proposal
      label="Names of columns"
      isOpen={draft.proposed.includes("headerRow")}
      hint={`The names are not known ones. Below, ${taken} is taken for them: is that right?`}
      value={String(draft.headerRow)}
      options={[["0", "No row: columns have letters"], ...rows]}
      onChange={(row) => onChange(withHeader(head, Number(row), draft))}
    />
  );
}

interface FieldSelectProps {
  readonly name: string;
  readonly value: SheetField | null;
  readonly onChange: (field: SheetField | null) => void;
}

function FieldSelect({ name, value, onChange }: FieldSelectProps) {
  return (
    <select
      className={inputClass}
      aria-label={`What ${name} is`}
      value={value ?? ""}
      onChange={({ target }) => onChange(target.value === "" ? null : (target.value as SheetField))}
    >
      <option value="">Left out</option>
      {Object.entries(fieldTexts).map(([field, text]) => (
        <option key={field} value={field}>
          {text}
        </option>
      ))}
    </select>
  );
}

interface RestFieldsProps {
  readonly draft: SheetDraft;
  readonly onChange: (part: Partial<SheetDraft>) => void;
}

/** What is the same in every row. */
function RestFields({ draft, onChange }: RestFieldsProps) {
  const has = (field: SheetField) => draft.fields.includes(field);
  return (
    <div className={css["choices"]}>
      {has("provider") ? null : (
        <ChoiceField
          label="Provider of every row"
          value={draft.provider ?? ""}
          options={[["", "Choose …"], ...providerOptions]}
          onChange={(each) => onChange({ provider: each === "" ? null : (each as Provider) })}
        />
      )}
      {has("region") ? null : (
        <Field label="Country code of every row" hint="Two letters, such as DE. Empty: none.">
          {(field) => (
            <input
              {...field}
              className={inputClass}
              maxLength={2}
              value={draft.region}
              onChange={({ target }) => onChange({ region: target.value.toUpperCase() })}
            />
          )}
        </Field>
      )}
    </div>
  );
}

/** The providers, by the names that the console shows. */
export const providerOptions: readonly (readonly [Provider, string])[] = (
  Object.entries(providerNames) as [Provider, string][]
).toSorted(([, a], [, b]) => (a < b ? -1 : 1));

interface ProposalProps<T extends string> extends ChoiceFieldProps<T> {
  /** The file does not prove the value: nothing is chosen yet. */
  readonly isOpen: boolean;
  /** What is shown meanwhile. */
  readonly hint: string;
}

/** A choice that a file may leave to its reader: what it does not prove is not chosen for him. */
function Proposal<T extends string>({ isOpen, hint, ...choice }: ProposalProps<T>) {
  const { label, value, options, onChange } = choice;
  if (!isOpen) return <ChoiceField {...{ label, value, options, onChange }} />;
  return (
    <ChoiceField<T | "">
      {...{ label, hint }}
      value=""
      options={[["", "Choose …"], ...options]}
      onChange={(chosen) => (chosen === "" ? undefined : onChange(chosen))}
    />
  );
}
