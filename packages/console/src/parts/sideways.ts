import { type RefObject, useEffect, useRef, useState } from "react";
import css from "./sideways.module.css";

/** A side at which something that scrolls has more than what is in view. */
export type HiddenSide = "left" | "right";

/** At which sides of something that scrolls there is more than what is in view. */
export function useHiddenSides(frame: RefObject<HTMLElement | null>): readonly HiddenSide[] {
  const [sides, setSides] = useState("");
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const look = () => {
      const { scrollLeft, scrollWidth, clientWidth } = element;
      const left = scrollLeft > 1 ? "left" : "";
      const right = scrollLeft + clientWidth < scrollWidth - 1 ? "right" : "";
      setSides(`${left} ${right}`.trim());
    };
    const watch = new ResizeObserver(look);
    watch.observe(element);
    for (const child of element.children) watch.observe(child);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      watch.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [frame]);
  return sides.split(" ").filter((side): side is HiddenSide => side !== "");
}

/** The class of a row of buttons or links that scrolls sideways where it does not fit. */
export function useFading(frame: RefObject<HTMLElement | null>): string {
  return useHiddenSides(frame)
    .map((side) => css[side])
    .join(" ");
}

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
