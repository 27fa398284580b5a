import { useState } from "react";
import { useScope } from "../../data/account.ts";
import { dateText } from "../../data/format.ts";
import { useKeeping } from "../../data/kept.ts";
import { datesOfRange, type Range } from "../../data/period.ts";
import { Button } from "../../parts/button.tsx";
import { Field, inputClass } from "../../parts/fields.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { KeptForm, KeptList } from "../../parts/kept-list.tsx";
import { Refused } from "../../parts/refused.tsx";
import type { Note } from "./chart-marks.ts";

const keyOf = ({ date, text }: Note): string => `${date} ${text}`;

interface NotesProps {
  readonly notes: readonly Note[];
  /** The period that is shown, with whose last day the form begins. */
  readonly range: Range;
}

/** What the account's people noted, the newest first, and a form for more. */
export function Notes({ notes, range }: NotesProps) {
  const mayManage = useScope("manage");
  const { keep, failure, isRunning } = useKeeping();
  const without = (key: string) =>
    keep((now) => ({ notes: now.notes.filter((each) => keyOf(each) !== key) }));
  const save = (form: FormData, onKept: () => void) => {
    const note = { date: String(form.get("date")), text: String(form.get("text")).trim() };
    keep((now) => ({ notes: [...now.notes, note] }), onKept);
  };
  return (
    <KeptList
      items={notes
        .toReversed()
        .map((note) => ({ key: keyOf(note), text: note.text, about: dateText(note.date) }))}
      nothing="Nothing is noted yet. A note marks its day at the axis."
      onDelete={mayManage ? without : undefined}
      failure={failure}
    >
      {mayManage ? (
        <KeptForm label="Add a note" isRunning={isRunning} onSave={save}>
          <input
            type="date"
            name="date"
            required
            aria-label="Day (UTC)"
            defaultValue={datesOfRange(range).last}
          />
          <input
            name="text"
            required
            maxLength={500}
            aria-label="Note"
            placeholder="What happened"
          />
        </KeptForm>
      ) : null}
    </KeptList>
  );
}

interface NoteDialogProps {
  /** The day with which the form begins. */
  readonly date: string;
  /** The note that is edited; null: a new one. */
  readonly note: Note | null;
  readonly onClose: () => void;
}

/** A note of the chart: a new one, or one that is edited or deleted. */
export function NoteDialog({ date, note, onClose }: NoteDialogProps) {
  const { keep, failure, isRunning } = useKeeping();
  const [edited, setEdited] = useState<Note>(note ?? { date, text: "" });
  /** The notes with another in the place of this one, which somebody may have deleted by now. */
  const replace = (by: readonly Note[]) =>
    keep(({ notes }) => {
      const at = note === null ? -1 : notes.findIndex((each) => keyOf(each) === keyOf(note));
      return { notes: at < 0 ? [...notes, ...by] : notes.toSpliced(at, 1, ...by) };
    }, onClose);
  return (
    <FormDialog
      title={note === null ? "Add a note" : "Edit the note"}
      action={note === null ? "Add" : "Save"}
      isReady={!isRunning && edited.date !== "" && edited.text.trim() !== ""}
      onSubmit={() => replace([{ date: edited.date, text: edited.text.trim() }])}
      onClose={onClose}
      apart={
        note === null ? null : (
          <Button kind="danger" disabled={isRunning} onClick={() => replace([])}>
            Delete note
          </Button>
        )
      }
    >
      <Field label="Day (UTC)">
        {(field) => (
          <input
            {...field}
            className={inputClass}
            type="date"
            value={edited.date}
            onChange={({ target }) => setEdited({ ...edited, date: target.value })}
          />
        )}
      </Field>
      <Field label="Note">
        {(field) => (
          <input
            {...field}
            className={inputClass}
            maxLength={500}
            placeholder="What happened"
            // biome-ignore lint/a11y/noAutofocus: the dialog was opened to fill this in
            autoFocus
            value={edited.text}
            onChange={({ target }) => setEdited({ ...edited, text: target.value })}
          />
        )}
      </Field>
      <Refused error={failure} />
    </FormDialog>
  );
}
