import { useState } from "react";
import { rangeText } from "../data/format.ts";
import { datesOfRange, periodTexts } from "../data/period.ts";
import type { ViewQuestion } from "../data/use-question.ts";
import { changeView } from "../data/use-view.ts";
import { type PeriodName, periodNames } from "../data/view.ts";
import { Button } from "./button.tsx";
import { Chip, OptionList } from "./chip.tsx";
import css from "./filter-bar.module.css";

interface PeriodChipProps {
  readonly question: ViewQuestion;
}

/** Which days count: a period that ends with the newest answer, or two dates. */
export function PeriodChip({ question: { view, range } }: PeriodChipProps) {
  const { period } = view;
  return (
    <Chip
      name={typeof period === "string" ? periodTexts[period] : "Period"}
      value={rangeText(range)}
      quiet
    >
      {(close) => (
        <OptionList
          name="Period"
          options={periodNames.map((value) => ({ value, text: periodTexts[value] }))}
          chosen={typeof period === "string" ? [period] : []}
          onChange={([chosen]) => changeView({ period: chosen as PeriodName })}
          single
          close={close}
        >
          <DatesForm {...datesOfRange(range)} close={close} />
        </OptionList>
      )}
    </Chip>
  );
}

interface DatesFormProps {
  readonly first: string;
  readonly last: string;
  readonly close: () => void;
}

function DatesForm({ first: givenFirst, last: givenLast, close }: DatesFormProps) {
  const [first, setFirst] = useState(givenFirst);
  const [last, setLast] = useState(givenLast);
  const isValid = first !== "" && last !== "" && first <= last;
  return (
    <form
      className={css["dates"]}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isValid) return;
        changeView({ period: { first, last } });
        close();
      }}
    >
      <label>
        First day (UTC)
        <input type="date" value={first} onChange={({ target }) => setFirst(target.value)} />
      </label>
      <label>
        Last day
        <input type="date" value={last} onChange={({ target }) => setLast(target.value)} />
      </label>
      <Button type="submit" disabled={!isValid}>
        Apply
      </Button>
    </form>
  );
}

/** What the period is compared with: as many days just before, from another date, or nothing. */
export function CompareChip({ question: { view, compared } }: PeriodChipProps) {
  const { compare } = view;
  return (
    <Chip name="Compare" value={compared === null ? null : rangeText(compared)} plain="Off" quiet>
      {(close) => (
        <OptionList
          name="Compare"
          options={[
            { value: "previous", text: "As many days just before" },
            { value: "none", text: "Nothing" },
          ]}
          chosen={[compare]}
          onChange={([chosen]) => changeView({ compare: chosen ?? "previous" })}
          single
          close={close}
        >
          <CompareForm
            first={compared === null ? "" : datesOfRange(compared).first}
            close={close}
          />
        </OptionList>
      )}
    </Chip>
  );
}

function CompareForm({ first: given, close }: Pick<DatesFormProps, "first" | "close">) {
  const [first, setFirst] = useState(given);
  return (
    <form
      className={css["dates"]}
      onSubmit={(event) => {
        event.preventDefault();
        if (first === "") return;
        changeView({ compare: first });
        close();
      }}
    >
      <label>
        As many days from (UTC)
        <input type="date" value={first} onChange={({ target }) => setFirst(target.value)} />
      </label>
      <Button type="submit" disabled={first === ""}>
        Apply
      </Button>
    </form>
  );
}
