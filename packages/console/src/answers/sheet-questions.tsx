import type { Provider } from "@sightline/client";
import { type DateOrder, type Question, writtenDate } from "@sightline/sheets";
import { countOf, dateText } from "../data/format.ts";
import { ChoiceField } from "../parts/choice-field.tsx";
import { Field, inputClass } from "../parts/fields.tsx";
import { providerOptions } from "./sheet-columns.tsx";
import type { SheetDraft } from "./sheet-draft.ts";
import css from "./sheet-wizard.module.css";

interface QuestionsStepProps {
  readonly questions: readonly Question[];
  readonly draft: SheetDraft;
  readonly onChange: (part: Partial<SheetDraft>) => void;
}

/** What the table does not tell by itself: nothing is chosen before its reader does. */
export function QuestionsStep({ questions, draft, onChange }: QuestionsStepProps) {
  return (
    <div className={css["questions"]}>
      {questions.map((question) => (
        <Asked key={keyOf(question)} {...{ question, draft, onChange }} />
      ))}
    </div>
  );
}

function keyOf(question: Question): string {
  return question.about === "providerName" ? `name ${question.name}` : question.about;
}

interface AskedProps {
  readonly question: Question;
  readonly draft: SheetDraft;
  readonly onChange: (part: Partial<SheetDraft>) => void;
}

const choose = ["", "Choose …"] as const;

function Asked({ question, draft, onChange }: AskedProps) {
  switch (question.about) {
    case "rowIs":
      return (
        <ChoiceField
          label={`What are rows ${question.rows.join(" and ")}?`}
          hint="They differ in nothing but their source."
          value={draft.rowIs ?? ""}
          options={[choose, ["citation", "Sources of one answer"], ["answer", "Two answers"]]}
          onChange={(rowIs) => onChange({ rowIs: rowIs === "" ? null : rowIs })}
        />
      );
    case "dateOrder":
      return <OrderField example={question.example} draft={draft} onChange={onChange} />;
    case "timeZone":
      return <ZoneField example={question.example} draft={draft} onChange={onChange} />;
    case "timeOfDay":
      return (
        <Field
          label={`Which time of day counts for “${question.example}”?`}
          hint="For every date without one."
        >
          {(field) => (
            <input
              {...field}
              className={inputClass}
              type="time"
              value={draft.timeOfDay}
              onChange={({ target }) => onChange({ timeOfDay: target.value })}
            />
          )}
        </Field>
      );
    case "providerName": {
      const { name, rows } = question;
      const said = draft.providers[name];
      return (
        <ChoiceField
          label={`Which provider is “${shortName(name)}”?`}
          hint={`In ${countOf(rows, "row")}.`}
          value={said === null ? "none" : (said ?? "")}
          options={[choose, ...providerOptions, ["none", "None of these: reject the rows"]]}
          onChange={(provider) =>
            onChange({ providers: { ...draft.providers, [name]: providerOf(provider) } })
          }
        />
      );
    }
    default:
      return null; // columns, which the step before asks for
  }
}

/** Where another column is taken for the providers, its texts may be long. */
function shortName(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60)}…` : name;
}

function providerOf(chosen: string): Provider | null {
  return chosen === "none" ? null : (chosen as Provider);
}

type ExampleProps = Omit<AskedProps, "question"> & { readonly example: string };

function OrderField({ example, draft, onChange }: ExampleProps) {
  const days = [...(writtenDate(example)?.days ?? [])];
  const orders = days.map(([order, day]) => {
    return [order, `${dateText(new Date(day).toISOString())} (${orderNames[order]})`] as const;
  });
  return (
    <ChoiceField
      label={`Which day is “${example}”?`}
      hint="Every date of the table is read in this order."
      value={draft.dateOrder ?? ""}
      options={[choose, ...orders]}
      onChange={(order) => onChange({ dateOrder: order === "" ? null : order })}
    />
  );
}

const orderNames: Readonly<Record<DateOrder, string>> = {
  dmy: "day first",
  mdy: "month first",
  ymd: "year first",
};

function ZoneField({ example, draft, onChange }: ExampleProps) {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const near = [...new Set([own, "UTC"])];
  const all = Intl.supportedValuesOf("timeZone").filter((zone) => !near.includes(zone));
  return (
    <Field
      label={`Which time zone is “${example}” in?`}
      hint="A wrong zone moves answers to another hour, and at night to another day."
    >
      {(field) => (
        <select
          {...field}
          className={inputClass}
          value={draft.timeZone}
          onChange={({ target }) => onChange({ timeZone: target.value })}
        >
          <option value="">Choose …</option>
          <optgroup label="Often meant">
            {near.map((zone) => (
              <option key={zone} value={zone}>
                {zone === own && zone !== "UTC" ? `${zone}, this computer's` : zone}
              </option>
            ))}
          </optgroup>
          <optgroup label="All time zones">
            {all.map((zone) => (
              <option key={zone}>{zone}</option>
            ))}
          </optgroup>
        </select>
      )}
    </Field>
  );
}

/** What was asked and not answered yet, in words. */
export function unanswered(questions: readonly Question[], draft: SheetDraft): readonly string[] {
  return questions.flatMap((question) => {
    switch (question.about) {
      case "rowIs":
        return draft.rowIs === null ? ["what a row is"] : [];
      case "dateOrder":
        return draft.dateOrder === null ? ["the order of dates"] : [];
      case "timeZone":
        return draft.timeZone === "" ? ["the time zone"] : [];
      case "timeOfDay":
        return draft.timeOfDay === "" ? ["the time of day"] : [];
      case "providerName": {
        const said = draft.providers[question.name];
        return said === undefined || (said as string) === ""
          ? [`“${shortName(question.name)}”`]
          : [];
      }
      default:
        return [];
    }
  });
}
