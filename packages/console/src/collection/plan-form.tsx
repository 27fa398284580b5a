import type { Provider } from "@sightline/client";
import { providerNames } from "@sightline/contract/providers";
import type { Draft } from "../accounts/draft.ts";
import { isSameRule } from "../accounts/draft-changes.ts";
import { StateTag } from "../accounts/draft-items.tsx";
import type { DraftEditor } from "../accounts/draft-store.ts";
import { useWorkspaceFile } from "../accounts/queries.ts";
import { countOf, dollarsText } from "../data/format.ts";
import { providerName, regionName } from "../data/names.ts";
import { changeOwn } from "../data/use-view.ts";
import { Button } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { ChoiceField } from "../parts/choice-field.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { CheckField, CheckGroup, Field, inputClass } from "../parts/fields.tsx";
import { ListChip } from "../parts/filter-bar.tsx";
import { RegionSign } from "../parts/region-label.tsx";
import { requestOf } from "./ask-choice.ts";
import { countries } from "./ask-drawer.tsx";
import {
  type Asked,
  choiceOf,
  planWords,
  providerOf,
  type Rules,
  setInFile,
  withCap,
  withModel,
  withProvider,
  withRule,
} from "./asked-rules.ts";
import { EstimatePanel } from "./estimate.tsx";
import css from "./plan-form.module.css";
import { useEstimate } from "./queries.ts";
import { cronOf, everyDay, type Schedule, scheduleOf, timesAMonth } from "./schedule.ts";

interface PlanProps {
  readonly editor: DraftEditor;
}

/** When, whom and how often the account asks by itself, and the way to change it. */
export function PlanCard({ editor }: PlanProps) {
  const { draft, base } = editor;
  const isEdited = !isSameRule(draft.collection, base.collection);
  return (
    <Card
      title={
        <>
          What is asked <StateTag state={isEdited ? "changed" : "same"} />
        </>
      }
      text="When prompts are asked by themselves, of whom, and the most that it may cost."
      tools={<Button onClick={() => changeOwn({ ask: "plan" })}>Change what is asked</Button>}
      padded
    >
      <ul className={css["summary"]} aria-label="What is asked">
        {planWords(draft.collection ?? {}).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Card>
  );
}

/** What is asked, as a form whose edits are part of the draft, with the cost of a sweep. */
export function PlanDrawer({ editor }: PlanProps) {
  const { draft, base, change } = editor;
  const onChange = (next: Rules) => {
    const { collection: _collection, ...rest } = draft;
    change(Object.keys(next).length === 0 ? rest : { ...rest, collection: next });
  };
  const form = { rules: draft.collection ?? {}, before: base.collection ?? {}, onChange };
  const close = () => changeOwn({ ask: "" });
  return (
    <Dialog
      title="What is asked"
      about="Nothing is saved before you review the changes."
      onClose={close}
      drawer
      foot={
        <Button kind="primary" onClick={close}>
          Done
        </Button>
      }
    >
      <div className={css["form"]}>
        <ScheduleFields {...form} />
        <ProviderFields {...form} />
        <HowOften {...form} />
        <Caps {...form} />
        <InFile draft={draft} />
        <PlanCost {...form} />
      </div>
    </Dialog>
  );
}

interface FormProps {
  readonly rules: Rules;
  /** What is saved. */
  readonly before: Rules;
  readonly onChange: (rules: Rules) => void;
}

/** Monday first, by the numbers of cron. */
const weekdays = [
  [1, "Monday"],
  [2, "Tuesday"],
  [3, "Wednesday"],
  [4, "Thursday"],
  [5, "Friday"],
  [6, "Saturday"],
  [0, "Sunday"],
] as const;

function ScheduleFields({ rules, before, onChange }: FormProps) {
  const schedule = scheduleOf(rules.cron);
  const saved = scheduleOf(before.cron);
  const put = (next: Schedule) => onChange(withRule(rules, "cron", cronOf(next)));
  const kinds: Readonly<Record<string, Schedule>> = {
    none: { kind: "none" },
    weekly: { kind: "weekly", days: everyDay, time: "06:00" },
    ...(saved.kind === "file" ? { file: saved } : {}),
  };
  return (
    <>
      <div className={css["row"]}>
        <ChoiceField
          label="Schedule"
          value={schedule.kind}
          options={[
            ["none", "Only when asked to"],
            ["weekly", "On days of the week"],
            ...(saved.kind === "file"
              ? [["file", `${saved.cron} (set in the file)`] as const]
              : []),
          ]}
          onChange={(kind) => put(kinds[kind] ?? { kind: "none" })}
        />
        {schedule.kind === "weekly" ? (
          <Field label="At">
            {(field) => (
              <input
                {...field}
                className={inputClass}
                type="time"
                required
                value={schedule.time}
                onChange={({ target }) => {
                  if (target.value !== "") put({ ...schedule, time: target.value });
                }}
              />
            )}
          </Field>
        ) : null}
        {schedule.kind === "none" ? null : <ZoneField {...{ rules, onChange }} />}
      </div>
      {schedule.kind === "weekly" ? (
        <CheckGroup title="Days">
          <div className={css["checks"]}>
            {weekdays.map(([day, name]) => (
              <CheckField
                key={day}
                checked={schedule.days.includes(day)}
                // A schedule without a day is none: the last one stays.
                disabled={schedule.days.length === 1 && schedule.days[0] === day}
                onChange={(isAsked) => {
                  const days = everyDay.filter((each) =>
                    each === day ? isAsked : schedule.days.includes(each),
                  );
                  put({ ...schedule, days });
                }}
              >
                {name}
              </CheckField>
            ))}
          </div>
        </CheckGroup>
      ) : null}
    </>
  );
}

function ZoneField({ rules, onChange }: Pick<FormProps, "rules" | "onChange">) {
  const zone = rules.timeZone ?? "UTC";
  const zones = new Set(["UTC", zone, ...Intl.supportedValuesOf("timeZone")]);
  return (
    <ChoiceField
      label="Time zone"
      value={zone}
      options={[...zones].map((each) => [each, each])}
      onChange={(chosen) =>
        onChange(withRule(rules, "timeZone", chosen === "UTC" ? undefined : chosen))
      }
    />
  );
}

function ProviderFields({ rules, before, onChange }: FormProps) {
  const items = rules.providers ?? [];
  return (
    <CheckGroup title="Providers">
      <div className={css["checks"]}>
        {(Object.keys(providerNames) as Provider[]).map((provider) => {
          const asked = items.filter((item) => providerOf(item) === provider);
          return (
            <div key={provider} className={css["provider"]}>
              <CheckField
                checked={asked.length > 0}
                onChange={(isAsked) => onChange(withProvider(rules, before, provider, isAsked))}
              >
                {providerName(provider)}
              </CheckField>
              {asked.map((item, at) => (
                <ProviderDetails
                  // biome-ignore lint/suspicious/noArrayIndexKey: an item is its place in the file
                  key={at}
                  item={item}
                  onModel={(model) => onChange(withModel(rules, item, model))}
                />
              ))}
            </div>
          );
        })}
      </div>
    </CheckGroup>
  );
}

interface DetailsProps {
  readonly item: Asked;
  readonly onModel: (model: string) => void;
}

/** What the file says of a provider: its model can be changed, the rest stays. */
function ProviderDetails({ item, onModel }: DetailsProps) {
  if (typeof item === "string") return null;
  const { provider, model, ...others } = item;
  const kept = Object.entries(others).map(
    ([name, value]) => `${name} ${[value].flat().join(", ")}`,
  );
  return (
    <div className={css["details"]}>
      {model === undefined ? null : (
        <Field label={`Model of ${providerName(provider)}`}>
          {(field) => (
            <input
              {...field}
              className={inputClass}
              required
              maxLength={100}
              value={model}
              onChange={({ target }) => onModel(target.value)}
            />
          )}
        </Field>
      )}
      {kept.length === 0 ? null : <p className="small quiet">Set in the file: {kept.join("; ")}</p>}
    </div>
  );
}

function HowOften({ rules, onChange }: FormProps) {
  return (
    <div className={css["row"]}>
      <Field label="Samples" hint="How often each prompt is asked of each provider: 1 to 20.">
        {(field) => (
          <input
            {...field}
            className={inputClass}
            type="number"
            min={1}
            max={20}
            value={rules.samples ?? 1}
            onChange={({ target }) => {
              const samples = Math.min(20, Math.max(1, Math.round(Number(target.value))));
              onChange(withRule(rules, "samples", samples === 1 ? undefined : samples));
            }}
          />
        )}
      </Field>
      <div role="group" aria-label="Countries to ask for">
        <ListChip
          name="Countries"
          plain="none"
          options={countries().map((code) => ({
            value: code,
            text: regionName(code),
            sign: <RegionSign code={code} />,
          }))}
          chosen={rules.regions ?? []}
          onChange={(regions) =>
            onChange(withRule(rules, "regions", regions.length === 0 ? undefined : [...regions]))
          }
        />
      </div>
    </div>
  );
}

function Caps({ rules, onChange }: FormProps) {
  const dollars = rules.caps?.dollarsPerDay;
  return (
    <Field
      label="Most dollars of a UTC day"
      hint={
        dollars === undefined
          ? "Empty: no limit. Questions beyond it continue the next day."
          : `At most ${dollarsText(dollars * 31)} in a month of 31 days.`
      }
    >
      {(field) => (
        <input
          {...field}
          className={`${inputClass} ${css["dollars"]}`}
          type="number"
          min={0}
          max={1_000_000}
          step="any"
          placeholder="no limit"
          value={dollars ?? ""}
          onChange={({ target }) => {
            const value = target.value === "" ? undefined : Number(target.value);
            onChange(withCap(rules, value));
          }}
        />
      )}
    </Field>
  );
}

/** What only the file can say, so that nobody takes the form for all of it. */
function InFile({ draft }: { readonly draft: Draft }) {
  const lines = setInFile(draft);
  if (lines.length === 0) return null;
  return (
    <div className="small quiet">
      <p>Set in the file, and kept as it is:</p>
      <ul className={css["kept"]}>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
}

/** What a sweep of the saved prompts costs with what is edited. */
function PlanCost({ rules, before, onChange }: FormProps) {
  const { data } = useWorkspaceFile();
  const choice = choiceOf(rules, before);
  const estimate = useEstimate(requestOf(choice));
  const times = timesAMonth(scheduleOf(rules.cron));
  const dollars = estimate.data?.kind === "estimate" ? estimate.data.estimate.dollars : 0;
  return (
    <>
      {dollars === 0 || times === null || times === 0 ? null : (
        <p className={css["month"]}>
          {countOf(Math.round(times), "sweep")} a month: about {dollarsText(dollars * times)}
        </p>
      )}
      <EstimatePanel {...{ file: data?.file, choice, estimate }} onClear={() => onChange(before)} />
    </>
  );
}
