import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { useFading } from "./sideways.ts";
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

/** A list that scrolls sideways where it is narrow, with what is chosen of it in its middle. */
export function useChosenInside<List extends HTMLElement>(chosen: unknown): RefObject<List | null> {
  const frame = useRef<List>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice is drawn elsewhere
  useEffect(() => {
    const list = frame.current;
    const current = list?.querySelector("[aria-current], [aria-selected=true]");
    if (list == null || current == null) return;
    const { left, width } = current.getBoundingClientRect();
    list.scrollLeft += left + width / 2 - list.getBoundingClientRect().left - list.clientWidth / 2;
  }, [chosen]);
  return frame;
}

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
