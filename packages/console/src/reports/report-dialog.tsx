import type { DeclaredReport, ReportLanguage, ReportSection } from "@sightline/client";
import { useState } from "react";
import { ChoiceField } from "../parts/choice-field.tsx";
import { CheckField, CheckGroup, Field, inputClass } from "../parts/fields.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { Refused } from "../parts/refused.tsx";
import {
  choicesWith,
  languageNames,
  periodNames,
  scheduleNames,
  sectionNames,
} from "./report-rules.ts";

interface ReportDialogProps {
  /** Null: a new one. */
  readonly report: DeclaredReport | null;
  readonly failure: Error | null;
  readonly isRunning: boolean;
  readonly onSave: (report: DeclaredReport) => void;
  readonly onClose: () => void;
}

const all = Object.keys(sectionNames) as ReportSection[];

const compareNames: Readonly<Record<string, string>> = {
  previous: "The period before",
  year: "The same a year before",
  none: "Nothing",
};

/** A new report, or what is changed of one. What the form does not show stays as it is. */
export function ReportDialog({ report, failure, isRunning, onSave, onClose }: ReportDialogProps) {
  const [draft, setDraft] = useState<DeclaredReport>(report ?? { name: "", period: "last-month" });
  const change = (fields: Partial<DeclaredReport>) => setDraft((now) => ({ ...now, ...fields }));
  const sections = draft.sections ?? all;
  const save = () => {
    const { schedule = "", note = "", subtitle = "", ...rest } = draft;
    onSave({
      ...rest,
      name: draft.name.trim(),
      ...(subtitle.trim() === "" ? {} : { subtitle: subtitle.trim() }),
      ...(schedule === "" ? {} : { schedule }),
      ...(note.trim() === "" ? {} : { note: note.trim() }),
    });
  };
  return (
    <FormDialog
      title={report === null ? "Add a report" : `Change ${report.name}`}
      action={report === null ? "Add" : "Save"}
      isReady={!isRunning && draft.name.trim() !== "" && sections.length > 0}
      onSubmit={save}
      onClose={onClose}
    >
      <Field label="Name" hint="The title of its page.">
        {(field) => (
          <input
            {...field}
            className={inputClass}
            maxLength={100}
            // biome-ignore lint/a11y/noAutofocus: the dialog was opened to fill this in
            autoFocus
            value={draft.name}
            onChange={({ target }) => change({ name: target.value })}
          />
        )}
      </Field>
      <TextField
        label="Subtitle"
        value={draft.subtitle ?? ""}
        charactersMax={200}
        onChange={(subtitle) => change({ subtitle })}
      />
      <ChoiceField
        label="Period"
        value={draft.period}
        options={choicesWith(periodNames, draft.period)}
        onChange={(period) => change({ period })}
      />
      <ChoiceField
        label="Compared with"
        value={draft.compare ?? "previous"}
        options={choicesWith(compareNames, draft.compare ?? "previous")}
        onChange={(compare) => change({ compare: compare as DeclaredReport["compare"] })}
      />
      <ChoiceField
        label="Made"
        value={draft.schedule ?? ""}
        options={choicesWith(scheduleNames, draft.schedule ?? "")}
        onChange={(schedule) => change({ schedule })}
      />
      <ChoiceField
        label="Language"
        value={draft.language ?? "en"}
        options={choicesWith(languageNames, draft.language ?? "en")}
        onChange={(language) => change({ language: language as ReportLanguage })}
      />
      <TextField
        label="Note"
        value={draft.note ?? ""}
        charactersMax={2_000}
        onChange={(note) => change({ note })}
      />
      <CheckGroup title="Sections">
        {all.map((section) => (
          <CheckField
            key={section}
            checked={sections.includes(section)}
            onChange={(checked) => change({ sections: chosen(sections, section, checked) })}
          >
            {sectionNames[section]}
          </CheckField>
        ))}
      </CheckGroup>
      <CheckGroup title="Evidence">
        <CheckField checked={draft.evidence === true} onChange={(evidence) => change({ evidence })}>
          Quote sentences of answers
        </CheckField>
      </CheckGroup>
      <Refused error={failure} />
    </FormDialog>
  );
}

/** The sections in their order; one that is added comes where it stands among all. */
function chosen(
  sections: readonly ReportSection[],
  section: ReportSection,
  isChosen: boolean,
): ReportSection[] {
  if (!isChosen) return sections.filter((each) => each !== section);
  const isKept = sections.every((each, at) => at === 0 || isAfter(sections[at - 1], each));
  return isKept
    ? all.filter((each) => each === section || sections.includes(each))
    : [...sections, section];
}

const isAfter = (one: ReportSection | undefined, other: ReportSection): boolean =>
  one === undefined || all.indexOf(one) < all.indexOf(other);

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly charactersMax: number;
  readonly onChange: (value: string) => void;
}

function TextField({ label, value, charactersMax, onChange }: TextFieldProps) {
  return (
    <Field label={label}>
      {(field) => (
        <input
          {...field}
          className={inputClass}
          maxLength={charactersMax}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}
