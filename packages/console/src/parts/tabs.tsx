import type { ReactNode } from "react";
import { useChosenInside, useFading } from "./sideways.ts";
import css from "./tabs.module.css";

interface TabsProps<T extends string> {
  /** What the tabs divide. */
  readonly label: string;
  readonly tabs: readonly (readonly [value: T, text: ReactNode])[];
  readonly value: T;
  readonly onChange: (value: T) => void;
  /** What the chosen tab shows. */
  readonly children: ReactNode;
}

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Views of one page, one of which is shown. The arrow keys move among the tabs. */
export function Tabs<T extends string>({ label, tabs, value, onChange, children }: TabsProps<T>) {
  const list = useChosenInside<HTMLDivElement>(value);
  const fading = useFading(list);
  const moved = (event: React.KeyboardEvent<HTMLElement>) => {
    const values = tabs.map(([each]) => each);
    const step = steps[event.key];
    const at =
      step === undefined
        ? { Home: 0, End: values.length - 1 }[event.key]
        : (values.indexOf(value) + step + values.length) % values.length;
    const next = at === undefined ? undefined : values[at];
    if (next === undefined) return;
    event.preventDefault();
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus();
    onChange(next);
  };
  return (
    <>
      <div
        ref={list}
        className={`${css["tabs"]} ${fading}`}
        role="tablist"
        aria-label={label}
        onKeyDown={moved}
      >
        {tabs.map(([each, text]) => (
          <button
            key={each}
            type="button"
            role="tab"
            id={`tab-${each}`}
            data-tab={each}
            aria-selected={each === value}
            aria-controls="tab-panel"
            tabIndex={each === value ? 0 : -1}
            className={css["tab"]}
            onClick={() => onChange(each)}
          >
            {text}
          </button>
        ))}
      </div>
      <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${value}`}>
        {children}
      </div>
    </>
  );
}
