import type { EvidenceAnswer } from "@sightline/client";
import { Fragment, type ReactNode, useMemo, useState } from "react";
import { BreakableText } from "../../parts/breakable.tsx";
import { Mark } from "./marked.tsx";
import { type Layers, layersOf, type Passage, type Piece, piecesOf } from "./marked-text.ts";
import { type Notes, notesOf, passagesOf } from "./passages.ts";
import css from "./rich-text.module.css";
import { type Branch, type RichNode, recordedText, richTextOf } from "./rich-text.ts";

/** A text as it is shown, and what lies over it. */
interface ShownText {
  readonly nodes: readonly RichNode[];
  readonly layers: Layers;
  readonly notes: Notes;
  readonly passages: readonly Passage[];
  /** It is shown sign by sign, as wanted or because it is too long for anything else. */
  readonly isRecorded: boolean;
}

type TextOf = Pick<EvidenceAnswer, "text" | "textRemoved" | "mentions" | "citations">;

/** Reads an answer's text; with `recorded`, sign by sign. */
export function useShownText(answer: TextOf | undefined, recorded: boolean) {
  return useMemo((): ShownText | null => {
    if (answer === undefined || answer.textRemoved) return null;
    const { text, mentions, citations } = answer;
    const passages = passagesOf(text, citations);
    const layers = layersOf(text, mentions, passages);
    const rendered = recorded ? null : richTextOf(text, layers);
    const nodes = rendered ?? recordedText(text);
    const notes = notesOf(nodes, layers, passages);
    return { nodes, layers, notes, passages, isRecorded: rendered === null };
  }, [answer, recorded]);
}

/** What brings out a citation's passages while an element of it is pointed at or has focus. */
export type LightOf = (citation: number) => {
  readonly onMouseEnter: () => void;
  readonly onMouseLeave: () => void;
  readonly onFocus: () => void;
  readonly onBlur: () => void;
};

/**
 * Which citation is brought out: the one that is pointed at, or else the one that has focus, since
 * a page that scrolls takes what is below a pointer away from it.
 */
export function useLight(): { readonly lit: number | null; readonly lightOf: LightOf } {
  const [pointed, setPointed] = useState<number | null>(null);
  const [focused, setFocused] = useState<number | null>(null);
  const lightOf = (citation: number) => ({
    onMouseEnter: () => setPointed(citation),
    onMouseLeave: () => setPointed(null),
    onFocus: () => setFocused(citation),
    onBlur: () => setFocused(null),
  });
  return { lit: pointed ?? focused, lightOf };
}

interface RichTextProps {
  readonly shown: ShownText;
  /** The citation whose passages are brought out; null: none. */
  readonly lit: number | null;
  readonly lightOf: LightOf;
  /** Goes to a citation in the list below. */
  readonly onOpen: (citation: number) => void;
  /** What a citation is called for those who do not see its place. */
  readonly nameOf: (citation: number) => string;
}

/** A text of an answer, of which nothing is trusted: elements are made of its tree alone. */
export function RichText(props: RichTextProps) {
  const { shown, lit } = props;
  const own = lit === null ? [] : shown.passages.filter(({ citation }) => citation === lit);
  const draw: Draw = {
    ...props,
    isLit: ({ start }) => own.some((each) => each.start <= start && start < each.end),
    isInLink: false,
  };
  return <div className={css["text"]}>{drawn(shown.nodes, draw)}</div>;
}

interface Draw extends RichTextProps {
  readonly isLit: (piece: Piece) => boolean;
  readonly isInLink: boolean;
}

function drawn(nodes: readonly RichNode[], draw: Draw): ReactNode {
  return nodes.map((node, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
    <Fragment key={index}>
      {node.kind === "leaf"
        ? piecesOf(node, draw.shown.layers).map((piece) => (
            <PieceView key={piece.start} piece={piece} draw={draw} />
          ))
        : element(node, draw)}
    </Fragment>
  ));
}

function PieceView({ piece, draw }: { readonly piece: Piece; readonly draw: Draw }) {
  const { text, start, mention } = piece;
  const words = draw.shown.isRecorded ? <Recorded text={text} /> : <BreakableText text={text} />;
  return (
    <>
      <span data-at={start} data-lit={draw.isLit(piece) ? "" : undefined}>
        {mention === null ? words : <Mark entityId={mention.entityId}>{words}</Mark>}
      </span>
      {draw.isInLink ? null : <NoteList of={start} draw={draw} />}
    </>
  );
}

/** Signs of Markdown: kept where a text is shown as it was recorded, and drawn quietly. */
const signs = /(\*\*|__|`+|^#{1,6} )/gm;

function Recorded({ text }: { readonly text: string }) {
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

/** The numbers of the citations that stand behind what ends here. */
function NoteList({ of, draw }: { readonly of: number | Branch; readonly draw: Draw }) {
  const { shown, lit, lightOf, onOpen, nameOf } = draw;
  return shown.notes.get(of)?.map((citation) => (
    <sup key={citation}>
      <button
        type="button"
        className={css["note"]}
        aria-label={`Citation ${citation + 1}: ${nameOf(citation)}`}
        title={nameOf(citation)}
        data-note={citation}
        data-lit={lit === citation ? "" : undefined}
        {...lightOf(citation)}
        onClick={() => onOpen(citation)}
      >
        {citation + 1}
      </button>
    </sup>
  ));
}

/** Elements that need nothing but their name. */
const plainElements = {
  paragraph: "p",
  quote: "blockquote",
  list: "ul",
  item: "li",
  emphasis: "em",
  strong: "strong",
  deleted: "del",
  code: "code",
  "block code": "pre",
  cell: "td",
} as const;

function element(node: Branch, draw: Draw): ReactNode {
  const { kind, children, href, first } = node;
  const inner = drawn(children, draw);
  switch (kind) {
    case "heading":
      // All of one level: what an assistant chose is outside the page's outline.
      return <h4>{inner}</h4>;
    case "recorded":
      return <p className={css["recorded"]}>{inner}</p>;
    case "rule":
      return <hr />;
    case "numbered":
      return <ol start={first}>{inner}</ol>;
    case "table":
      return <TableView node={node} draw={draw} />;
    case "head":
    case "row":
      return <tr>{inner}</tr>;
    case "image":
    case "link":
      return (
        <>
          {kind === "image" ? <span className={css["sign"]}>Image: </span> : null}
          {href === undefined || draw.isInLink ? (
            inner
          ) : (
            <a href={href} target="_blank" rel="noopener noreferrer nofollow">
              {drawn(children, { ...draw, isInLink: true })}
            </a>
          )}
          {draw.isInLink ? null : <NoteList of={node} draw={draw} />}
        </>
      );
    default: {
      const Element = plainElements[kind];
      return <Element>{inner}</Element>;
    }
  }
}

function TableView({ node, draw }: { readonly node: Branch; readonly draw: Draw }) {
  const rows = node.children.filter((each): each is Branch => each.kind !== "leaf");
  const [head, ...others] = rows;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <div className={css["table"]} tabIndex={0} role="region" aria-label="Table of the answer">
      <table>
        <thead>
          <tr>
            {head?.children.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
              <th key={index} scope="col">
                {drawn(cell.kind === "leaf" ? [cell] : cell.children, draw)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{drawn(others, draw)}</tbody>
      </table>
    </div>
  );
}
