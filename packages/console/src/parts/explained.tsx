import { Suspense } from "react";
import type { ExplanationName } from "../data/explanations.ts";
import { later } from "../data/later.ts";
import css from "./explained.module.css";
import { Icon } from "./icon.tsx";
import { Popover } from "./popover.tsx";

const Text = later(async () => (await import("./explanation-text.tsx")).ExplanationText);

interface ExplainedProps {
  readonly of: ExplanationName;
  /** The word next to the button. */
  readonly title: string;
}

/**
 * A button next to a word that says what it means, with an example and a link to the guide: by a
 * tap, a click or a key, where a hint of the browser needs a pointer.
 */
export function Explained({ of, title }: ExplainedProps) {
  return (
    <Popover
      label={`What ${title} means`}
      trigger={(props) => (
        <button
          type="button"
          className={css["button"]}
          aria-label={`What ${title} means`}
          {...props}
        >
          <Icon name="info" />
        </button>
      )}
    >
      {() => (
        <div className={css["text"]}>
          <Suspense fallback={<p aria-busy="true">Loading …</p>}>
            <Text of={of} />
          </Suspense>
        </div>
      )}
    </Popover>
  );
}
