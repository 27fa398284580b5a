import { createContext, useContext } from "react";
import { BreakableText } from "../../parts/breakable.tsx";
import { undrawnColor } from "../charts/chart-data.ts";
import css from "./evidence.module.css";
import { type Located, markedParts } from "./marked-text.ts";

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

interface MarkedProps {
  readonly text: string;
  readonly mentions: readonly Located[];
}

/** A recorded text, as it is: nothing of it is read as HTML. Mentions are marked. */
export function Marked({ text, mentions }: MarkedProps) {
  return (
    <span className={css["text"]}>
      {markedParts(text, mentions).map((part) =>
        part.entityId === null ? (
          <Plain key={part.start} text={part.text} />
        ) : (
          <Mark key={part.start} text={part.text} entityId={part.entityId} />
        ),
      )}
    </span>
  );
}

/** Signs of Markdown: kept, since the text is shown as it was recorded, and drawn quietly. */
const signs = /(\*\*|__|`+|^#{1,6} )/gm;

function Plain({ text }: { readonly text: string }) {
  return text.split(signs).map((piece, index) =>
    index % 2 === 0 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text's pieces never move
      <BreakableText key={index} text={piece} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text's pieces never move
      <span key={index} className={css["sign"]}>
        {piece}
      </span>
    ),
  );
}

function Mark({ text, entityId }: { readonly text: string; readonly entityId: string }) {
  const { name, color } = useEntity(entityId);
  return (
    <mark className={css["mark"]} title={name} style={{ "--mark": color } as React.CSSProperties}>
      {text}
    </mark>
  );
}
