import { useMemo, useState } from "react";
import { countOf } from "../data/format.ts";
import { ChoiceField } from "../parts/choice-field.tsx";
import { Field, inputClass } from "../parts/fields.tsx";
import css from "./paste-field.module.css";
import { type PastedColumns, type PastedPrompts, pastedPrompts } from "./pasted-prompts.ts";

/** A text that is pasted or typed, and the prompts that it holds. */
export interface Paste {
  readonly text: string;
  readonly read: PastedPrompts;
  readonly setText: (text: string) => void;
  readonly setColumns: (columns: PastedColumns) => void;
}

/**
 * The state of a field for prompts.
 * @param known the texts that are tracked.
 */
export function usePaste(known: readonly string[], first = ""): Paste {
  const [text, setText] = useState(first);
  const [columns, setColumns] = useState<PastedColumns>();
  const read = useMemo(() => pastedPrompts(text, { known, columns }), [text, known, columns]);
  return {
    text,
    read,
    setText: (next) => {
      setText(next);
      if (next.trim() === "") setColumns(undefined); // another text has other columns
    },
    setColumns,
  };
}

/** Prompts, a line each, or columns out of a spreadsheet; and below them what was read. */
export function PasteField({ text, read, setText, setColumns }: Paste) {
  return (
    <>
      <Field
        label="Prompts, one per line"
        hint={
          "Or paste columns of a spreadsheet, or CSV: prompt and topic, in either order, and a " +
          "column called tags."
        }
      >
        {(field) => (
          <textarea
            {...field}
            className={inputClass}
            rows={8}
            placeholder={"What is the best two-person tent?\nWhich tents are light?"}
            // biome-ignore lint/a11y/noAutofocus: it is what the form was opened for
            autoFocus
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      {read.width > 1 ? <ColumnChoice read={read} onChange={setColumns} /> : null}
      <Preview read={read} />
    </>
  );
}

interface ColumnChoiceProps {
  readonly read: PastedPrompts;
  readonly onChange: (columns: PastedColumns) => void;
}

function ColumnChoice({ read, onChange }: ColumnChoiceProps) {
  const { columns, width, header, sample } = read;
  const names = Array.from({ length: width }, (_, column) => {
    const shown = header?.[column] ?? sample.map((row) => row[column]).find((cell) => cell?.trim());
    return `Column ${column + 1}: ${shown?.trim().slice(0, 40) || "empty"}`;
  });
  const options = names.map((name, column) => [String(column), name] as const);
  return (
    <div className={css["columns"]}>
      <ChoiceField
        label="Prompts are in"
        value={String(columns.prompt)}
        options={options}
        onChange={(chosen) => {
          const prompt = Number(chosen);
          const topic = columns.topic === prompt ? columns.prompt : columns.topic;
          onChange({ prompt, topic });
        }}
      />
      <ChoiceField
        label="Topics are in"
        value={String(columns.topic ?? "")}
        options={[["", "No column"], ...options]}
        onChange={(chosen) => {
          const topic = chosen === "" ? null : Number(chosen);
          onChange({ prompt: columns.prompt, topic: topic === columns.prompt ? null : topic });
        }}
      />
    </div>
  );
}

const previewRows = 3;

/** How the text was read: its first prompts, how many there are, and what was left out. */
function Preview({ read }: { readonly read: PastedPrompts }) {
  const { prompts, repeated, unusable, hasNumbering } = read;
  const topics = new Set(prompts.flatMap(({ topic }) => topic?.toLowerCase() ?? []));
  const said = [
    prompts.length === 0
      ? "No new prompt."
      : `${countOf(prompts.length, "prompt")}${
          topics.size === 0 ? "" : ` in ${countOf(topics.size, "topic")}`
        }.`,
    hasNumbering ? "The numbers before them are removed." : "",
    repeated === 0 ? "" : `${countOf(repeated, "line")} skipped: the prompt exists already.`,
    unusable === 0 ? "" : `${countOf(unusable, "line")} skipped: empty or too long.`,
  ];
  const isEmpty = prompts.length + repeated + unusable === 0;
  return (
    <div role="status" className={css["read"]}>
      {isEmpty ? null : (
        <>
          <p>{said.filter((each) => each !== "").join(" ")}</p>
          <ol className={css["preview"]}>
            {prompts.slice(0, previewRows).map(({ text, topic }) => (
              <li key={text}>
                <span>{text}</span>
                {topic === null ? null : <span className="quiet">{topic}</span>}
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  );
}
