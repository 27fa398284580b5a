import { useEffect } from "react";
import { changeView } from "../../data/use-view.ts";

interface ListKeys {
  /** The answers that are loaded, in order. */
  readonly ids: readonly string[];
  /** The answer that is open; null: the list is. */
  readonly open: string | null;
  /** Loads further answers, if there are any. */
  readonly more: () => void;
}

/** j and k move along the answers: their focus in the list, the open answer otherwise. */
export function useListKeys({ ids, open, more }: ListKeys): void {
  useEffect(() => {
    const pressed = ({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): void => {
      const step = key === "j" ? 1 : key === "k" ? -1 : 0;
      if (step === 0 || ctrlKey || metaKey || altKey) return;
      if (target instanceof HTMLInputElement) return;
      const focused = document.activeElement?.getAttribute("data-answer") ?? "";
      const at = ids.indexOf(open ?? focused) + step;
      const next = ids[Math.max(0, Math.min(ids.length - 1, at))];
      if (at >= ids.length - 1) more();
      if (next === undefined) return;
      if (open !== null) changeView({ answer: next }, { replace: true });
      else document.querySelector<HTMLElement>(`[data-answer="${next}"]`)?.focus();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [ids, open, more]);
}
