import { createContext, type ReactNode, useContext } from "react";
import { BreakableText } from "../../parts/breakable.tsx";
import { undrawnColor } from "../charts/chart-data.ts";
import css from "./evidence.module.css";
import { layersOf, type MarkedText, piecesOf } from "./marked-text.ts";

/** What an entity is called and drawn in. */
export interface ShownEntity {
  readonly name: string;
  /** That of its line in the chart. */
  readonly color: string;
}

/** The entities of the account by id. */
export const EntityContext = createContext<ReadonlyMap<string, ShownEntity>>(new Map());

/** What an entity is called and drawn in; nobody tracks one that is not there any more. */
export function useEntity(id: string): ShownEntity {
  return useContext(EntityContext).get(id) ?? { name: "retired entity", color: undrawnColor };
}

/** In place of a text that is there no more. */
export const removedText = "The text was removed for its age. The answer counts as before.";

/** A plain text, in which nothing is read as HTML. Mentions are marked. */
export function Marked({ text, mentions }: MarkedText) {
  const layers = layersOf(text, mentions);
  const pieces = piecesOf({ text, start: 0, end: text.length }, layers);
  return pieces.map(({ start, text: its, mention }) =>
    mention === null ? (
      <BreakableText key={start} text={its} />
    ) : (
      <Mark key={start} entityId={mention.entityId}>
        {its}
      </Mark>
    ),
  );
}

interface MarkProps {
  readonly entityId: string;
  readonly children: ReactNode;
}

/** A name in a text, in the colour of its entity. */
export function Mark({ entityId, children }: MarkProps) {
  const { name, color } = useEntity(entityId);
  return (
    <mark className={css["mark"]} title={name} style={{ "--mark": color } as React.CSSProperties}>
      {children}
    </mark>
  );
}
