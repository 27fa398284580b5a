import type { MetricName } from "@sightline/client";
import type { ReactNode } from "react";
import { arrowOf, changeText } from "../data/format.ts";
import { Icon } from "./icon.tsx";
import css from "./tag.module.css";

/** What a tag means, in addition to its words. */
export type TagKind = "plain" | "accent" | "better" | "worse" | "doubt";

/** A word or two about a thing. */
export function Tag({ kind = "plain", children }: { kind?: TagKind; children: ReactNode }) {
  return <span className={`${css["tag"]} ${css[kind] ?? ""}`}>{children}</span>;
}

/** The change of a value, as a summary has it. */
export interface Change {
  readonly value: number | null;
  readonly interval: { readonly low: number; readonly high: number } | null;
  readonly p: number | null;
  readonly adjustedP: number | null;
  readonly verdict: string | null;
}

interface ChangeMarkProps {
  readonly metric: MetricName | "shareOfVoice";
  readonly change: Change | undefined;
}

/** A change with an arrow only where its verdict is `moved`: others are noise, and stay quiet. */
export function ChangeMark({ metric, change }: ChangeMarkProps) {
  if (change === undefined || change.value === null) return null;
  const text = changeText(metric, change.value);
  if (change.verdict !== "moved") {
    return (
      <span className={css["change"]} title={verdictText(change)}>
        {text}
      </span>
    );
  }
  const arrow = arrowOf(metric, change.value);
  const isBetter = arrow === "rise";
  return (
    <span
      className={`${css["change"]} ${isBetter ? css["up"] : css["down"]}`}
      title={verdictText(change)}
    >
      <Icon name={arrow} />
      {text}
      <span className="visually-hidden">{isBetter ? ", better" : ", worse"}</span>
    </span>
  );
}

/** What a verdict says, in words. */
export function verdictText({ verdict, adjustedP }: Change): string {
  const p =
    adjustedP === null
      ? ""
      : ` (adjusted p ${adjustedP < 0.001 ? "< 0.001" : adjustedP.toFixed(3)})`;
  if (verdict === "moved") return `Moved: more than chance would show${p}`;
  if (verdict === "within-noise") return `Within noise: chance would show as much${p}`;
  if (verdict === "insufficient") return "Too few prompts to tell a change from noise";
  if (verdict === "discontinuous") return "A provider's models or surfaces changed: no verdict";
  return "A side is shorter than 7 days: no verdict";
}
