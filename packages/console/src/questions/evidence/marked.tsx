import { createContext, type ReactNode, useContext } from "react";
import { flagTitles } from "../../data/names.ts";
import { BreakableText } from "../../parts/breakable.tsx";
import { undrawnColor } from "../charts/chart-data.ts";
import css from "./evidence.module.css";
import { type Cued, layersOf, type MarkedText, type Piece, piecesOf } from "./marked-text.ts";

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

/** A plain text, in which nothing is read as HTML. Mentions and cues are marked. */
export function Marked({ text, mentions, cues = [] }: MarkedText) {
  const layers = layersOf(text, mentions, [], cues);
  const pieces = piecesOf({ text, start: 0, end: text.length }, layers);
  return pieces.map((piece) => (
    <MarkedPiece key={piece.start} piece={piece}>
      <BreakableText text={piece.text} />
    </MarkedPiece>
  ));
}

interface MarkedPieceProps {
  readonly piece: Piece;
  readonly children: ReactNode;
}

/** A piece of a text, marked where it is a name, or words that say something of one. */
export function MarkedPiece({ piece: { mention, cue }, children }: MarkedPieceProps) {
  const named = mention === null ? children : <Mark entityId={mention.entityId}>{children}</Mark>;
  return cue === null ? named : <CueMark cue={cue}>{named}</CueMark>;
}

/** Words on which flags rest, underlined; its hint says which. */
function CueMark({
  cue: { flags },
  children,
}: {
  readonly cue: Cued;
  readonly children: ReactNode;
}) {
  return (
    <span className={css["cue"]} title={flags.map((each) => flagTitles[each]).join(", ")} data-cue>
      {children}
    </span>
  );
}

interface MarkProps {
  readonly entityId: string;
  readonly children: ReactNode;
}

/** A name in a text, in the colour of its entity. */
function Mark({ entityId, children }: MarkProps) {
  const { name, color } = useEntity(entityId);
  return (
    <mark className={css["mark"]} title={name} style={{ "--mark": color } as React.CSSProperties}>
      {children}
    </mark>
  );
}
