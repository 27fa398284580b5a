import type { HookRequest, SummaryMetricName } from "@sightline/client";
import { Button, IconButton } from "../parts/button.tsx";
import { ChoiceField } from "../parts/choice-field.tsx";
import { CheckGroup, Field, inputClass } from "../parts/fields.tsx";
import css from "./hooks.module.css";

/** A threshold as it is typed. */
export interface TypedThreshold {
  /** Tells rows apart while they are edited. */
  readonly key: number;
  readonly metric: SummaryMetricName;
  readonly side: "below" | "above";
  /** In percent, or a rank. */
  readonly limit: string;
  readonly days: string;
}

type HookThreshold = NonNullable<HookRequest["thresholds"]>[number];

const metricTexts: Readonly<Record<SummaryMetricName, string>> = {
  mentions: "Mentions",
  visibility: "Visibility",
  citations: "Citations",
  rank: "Rank",
  shareOfVoice: "Share of voice",
};

const [daysMin, daysMax, thresholdsMax] = [7, 90, 20];

/** The threshold that a row says; null: it is not filled in, or a number is out of its range. */
export function thresholdOf({ metric, side, limit, days }: TypedThreshold): HookThreshold | null {
  const [number, length] = [Number(limit.replace(",", ".")), Number(days)];
  const most = metric === "rank" ? 1_000 : 100;
  if (limit.trim() === "" || !(number >= 0 && number <= most)) return null;
  if (!Number.isInteger(length) || length < daysMin || length > daysMax) return null;
  // 29 / 100 is 0.29, while 29 * 0.01 is not.
  return { metric, [side]: metric === "rank" ? number : number / 100, days: length };
}

/** A threshold in a few words: Mentions below 30 %, 28 days. */
export function thresholdText({ metric, below, above, days }: HookThreshold): string {
  const limit = below ?? above ?? 0;
  const size = metric === "rank" ? String(limit) : `${Number((limit * 100).toFixed(6))} %`;
  const name = metricTexts[metric] ?? metric;
  return `${name} ${below === undefined ? "above" : "below"} ${size}, ${days} days`;
}

interface ThresholdFieldsProps {
  readonly rows: readonly TypedThreshold[];
  readonly onChange: (rows: readonly TypedThreshold[]) => void;
}

/** Values of the brand that are watched: a row each. */
export function ThresholdFields({ rows, onChange }: ThresholdFieldsProps) {
  const last = rows.at(-1);
  const fresh: TypedThreshold = {
    key: (last?.key ?? 0) + 1,
    metric: "mentions",
    side: "below",
    limit: "",
    days: "28",
  };
  return (
    <CheckGroup title="Thresholds">
      {rows.map((row, place) => (
        <ThresholdRow
          key={row.key}
          row={row}
          onChange={(changed) => onChange(rows.with(place, changed))}
          onRemove={() => onChange(rows.toSpliced(place, 1))}
        />
      ))}
      <div>
        <Button
          icon="plus"
          disabled={rows.length >= thresholdsMax}
          onClick={() => onChange([...rows, fresh])}
        >
          Add threshold
        </Button>
      </div>
      <p className="small quiet">
        Told once when the whole interval of the brand’s value is beyond the limit, and once when it
        is back.
      </p>
    </CheckGroup>
  );
}

interface ThresholdRowProps {
  readonly row: TypedThreshold;
  readonly onChange: (row: TypedThreshold) => void;
  readonly onRemove: () => void;
}

function ThresholdRow({ row, onChange, onRemove }: ThresholdRowProps) {
  const { metric, side, limit, days } = row;
  return (
    <div className={css["threshold"]}>
      <ChoiceField
        label="Value"
        value={metric}
        options={Object.entries(metricTexts) as [SummaryMetricName, string][]}
        onChange={(chosen) => onChange({ ...row, metric: chosen })}
      />
      <ChoiceField
        label="Is"
        value={side}
        options={[
          ["below", "below"],
          ["above", "above"],
        ]}
        onChange={(chosen) => onChange({ ...row, side: chosen })}
      />
      <NumberField
        label={metric === "rank" ? "Rank" : "Percent"}
        value={limit}
        onChange={(text) => onChange({ ...row, limit: text })}
      />
      <NumberField
        label="Days"
        value={days}
        onChange={(text) => onChange({ ...row, days: text })}
      />
      <IconButton icon="close" label="Remove this threshold" onClick={onRemove} />
    </div>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

function NumberField({ label, value, onChange }: NumberFieldProps) {
  return (
    <Field label={label}>
      {(field) => (
        <input
          {...field}
          className={inputClass}
          inputMode="decimal"
          maxLength={8}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}
