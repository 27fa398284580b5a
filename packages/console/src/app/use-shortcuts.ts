import { useEffect } from "react";
import { changeView } from "../data/use-view.ts";
import { type PageName, plainView } from "../data/view.ts";
import type { OverlayName } from "./overlays.tsx";
import { pageList } from "./pages.tsx";

/** How long after g the second key is waited for. */
const secondKeyMs = 1_200;

/**
 * The keys that work on every page. None does while something is typed or a dialog is open.
 * @param pages those that keys lead to; they are read when a key is pressed.
 */
export function useShortcuts(
  open: (overlay: OverlayName) => void,
  pages: { readonly current: readonly PageName[] },
): void {
  useEffect(() => {
    let goneMs = 0;
    const pressed = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        open("palette");
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target)) return;
      const isSecond = Date.now() - goneMs < secondKeyMs;
      goneMs = 0;
      const page = pages.current.find((each) => pageList[each].key === event.key);
      if (isSecond && page !== undefined) {
        changeView({ page, own: plainView.own });
        return;
      }
      if (event.key === "g") goneMs = Date.now();
      else if (event.key === "?") open("keys");
      else if (event.key === "/") find(event);
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [open, pages]);
}

/** Fields that take letters. */
const typedInto = "input:not([type=radio], [type=checkbox], [type=range]), textarea, select";

/** Whether a key belongs to what is focused: a field, or anything in a dialog. */
function isTaken(target: EventTarget | null): boolean {
  if (document.querySelector("dialog[open], [popover]:popover-open") !== null) return true;
  return target instanceof HTMLElement && target.matches(typedInto);
}

/** Focuses the page's own search, or opens the palette where it has none. */
function find(event: KeyboardEvent): void {
  const search = document.querySelector<HTMLInputElement>("main input[type=search]");
  event.preventDefault();
  if (search !== null) search.focus();
  else dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true }));
}
