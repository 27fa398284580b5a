import { useEffect, useRef } from "react";

/**
 * Gives focus to the answer's entry when its reader is back in the list, which stood elsewhere
 * otherwise, and whose keys would begin at its top. Null: the list is shown.
 */
export function useReturn(open: string | null): void {
  const before = useRef(open);
  useEffect(() => {
    const id = before.current;
    before.current = open;
    if (open !== null || id === null) return;
    document.querySelector<HTMLElement>(`[data-answer="${CSS.escape(id)}"]`)?.focus();
  }, [open]);
}
