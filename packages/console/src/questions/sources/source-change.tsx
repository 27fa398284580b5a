import { changeText } from "../../data/format.ts";
import type { ListedSource } from "../../data/sources.ts";
import { Icon } from "../../parts/icon.tsx";
import css from "../../parts/tag.module.css";
import { verdictText } from "../../parts/tag.tsx";

/** Most shares are small: one place would show their changes as nothing. */
const places = 2;

/**
 * The change of a share, in points, with an arrow only where its verdict is `moved`. A rise is
 * good for an own source, bad for a competitor's, and neither for another.
 */
export function SourceChange({ source }: { readonly source: ListedSource }) {
  const { change, class: its } = source;
  if (change?.value == null) return <span className="quiet">–</span>;
  const hasMoved = change.verdict === "moved";
  const rises = change.value > 0;
  const isGood = its === "thirdParty" ? null : rises === (its === "own");
  const tone = !hasMoved || isGood === null ? "" : (css[isGood ? "up" : "down"] ?? "");
  return (
    <span className={`${css["change"]} ${tone}`} title={verdictText(change)}>
      {hasMoved ? <Icon name={rises ? "rise" : "fall"} /> : null}
      {changeText("shareOfVoice", change.value, places)}
      {hasMoved ? <span className="visually-hidden">, moved</span> : null}
    </span>
  );
}
