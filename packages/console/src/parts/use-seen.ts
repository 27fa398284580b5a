import { type RefObject, useEffect, useRef, useState } from "react";

/** Whether an element has come into the window, or near it; it stays true. */
export function useSeen<E extends Element>(): readonly [RefObject<E | null>, boolean] {
  const element = useRef<E>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const { current } = element;
    if (current === null || isSeen) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [isSeen]);
  return [element, isSeen];
}
