import type { WorkspaceResponse } from "@sightline/client";
import { useScope } from "../../data/account.ts";
import { dateText } from "../../data/format.ts";
import { useKeeping } from "../../data/kept.ts";
import { datesOfRange, type Range } from "../../data/period.ts";
import { KeptForm, KeptList } from "../../parts/kept-list.tsx";

interface NotesProps {
  readonly notes: NonNullable<WorkspaceResponse["notes"]>;
  /** The period that is shown, with whose last day the form begins. */
  readonly range: Range;
}

/** What the account's people noted, the newest first, and a form for more. */
export function Notes({ notes, range }: NotesProps) {
  const mayManage = useScope("manage");
  const { keep, failure, isRunning } = useKeeping();
  const keyOf = ({ date, text }: NotesProps["notes"][number]) => `${date} ${text}`;
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
