import { useEffect, useState } from "react";
import { isOutdated } from "../data/later.ts";
import { loadAgain } from "../data/leaving.ts";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import css from "../parts/page-notice.module.css";

/** A reader who comes back to the tab is told soon; one who stays in it, within the quarter. */
const lookEveryMs = 15 * 60_000;
const lookAgainMs = 60_000;

/** Says that the service was upgraded, so that this console is not the one that it has. */
export function NewVersion() {
  const [isThere, setThere] = useState(false);
  useEffect(() => {
    let lookedAt = Date.now();
    const look = () => {
      if (document.visibilityState === "hidden" || Date.now() - lookedAt < lookAgainMs) return;
      lookedAt = Date.now();
      void isOutdated().then((is) => setThere((before) => before || is));
    };
    document.addEventListener("visibilitychange", look);
    const timer = setInterval(look, lookEveryMs);
    return () => {
      document.removeEventListener("visibilitychange", look);
      clearInterval(timer);
    };
  }, []);
  if (!isThere) return null;
  return (
    <div role="status" className={css["notice"]}>
      <Icon name="warn" />
      <p>A new version of the console is available. Unsaved edits are kept.</p>
      <Button onClick={loadAgain}>Reload</Button>
    </div>
  );
}
