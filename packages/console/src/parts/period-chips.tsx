import { type PeriodName, periodNames } from "@sightline/contract/period-names";
import { periodTexts } from "@sightline/contract/periods";
import { useState } from "react";
import { rangeText } from "../data/format.ts";
import { comparedRange, datesOfRange, type Range } from "../data/period.ts";
import type { ViewQuestion } from "../data/use-question.ts";
import { changeView } from "../data/use-view.ts";
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

/** What the period is compared with: the one before, one of another date, or nothing. */
export function CompareChip({ question: { view, range, compared, notCompared } }: PeriodChipProps) {
  const { compare } = view;
  const value = compared === null ? null : rangeText(compared);
  return (
    <Chip name="Compare" value={value} plain={notCompared === null ? "Off" : "Overlaps"} quiet>
      {(close) => (
        <OptionList
          name="Compare"
          options={[
            { value: "previous", text: "The previous period" },
            { value: "year-ago", text: "The same period a year before" },
            { value: "none", text: "Nothing" },
          ]}
          chosen={[compare]}
          onChange={([chosen]) => changeView({ compare: chosen ?? "previous" })}
          single
          close={close}
        >
          <CompareForm
            first={compared === null ? dateOfView(compare) : datesOfRange(compared).first}
            range={range}
            close={close}
          />
        </OptionList>
      )}
    </Chip>
  );
}

/** The date that a view names, which may choose no period. */
const dateOfView = (compare: string): string => (/^\d/.test(compare) ? compare : "");

interface CompareFormProps extends Pick<DatesFormProps, "first" | "close"> {
  readonly range: Range;
}

function CompareForm({ first: given, range, close }: CompareFormProps) {
  const [first, setFirst] = useState(given);
  const chosen = first === "" ? null : comparedRange(first, range);
  const isRefused = chosen !== null && "refused" in chosen;
  return (
    <form
      className={css["dates"]}
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen === null || isRefused) return;
        changeView({ compare: first });
        close();
      }}
    >
      <label>
        The period of (UTC)
        <input type="date" value={first} onChange={({ target }) => setFirst(target.value)} />
      </label>
      <Button type="submit" disabled={chosen === null || isRefused}>
        Apply
      </Button>
      <p className="small quiet" role="status">
        {chosen === null ? "" : isRefused ? chosen.refused : `Compares with ${rangeText(chosen)}.`}
      </p>
    </form>
  );
}
