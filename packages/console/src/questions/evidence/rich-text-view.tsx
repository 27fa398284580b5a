import type { EvidenceAnswer } from "@sightline/client";
import { Fragment, type ReactNode, useMemo, useState } from "react";
import { BreakableText } from "../../parts/breakable.tsx";
import { MarkedPiece } from "./marked.tsx";
import {
  cuesOf,
  firstFrom,
  type Layers,
  layersOf,
  type Piece,
  piecesOf,
  type Statement,
} from "./marked-text.ts";
import css from "./rich-text.module.css";
import {
  type Branch,
  type Notes,
  notesOf,
  type RichNode,
  recordedText,
  richTextOf,
} from "./rich-text.ts";

/** A text as it is shown, and what lies over it. */
interface ShownText {
  readonly nodes: readonly RichNode[];
  readonly layers: Layers;
  readonly notes: Notes;
  readonly statements: readonly Statement[];
  /** It is shown sign by sign, as wanted or because it is too long for anything else. */
  readonly isRecorded: boolean;
}

type TextOf = Pick<EvidenceAnswer, "text" | "textRemoved" | "mentions" | "statements">;

/** Reads an answer's text; with `recorded`, sign by sign. */
export function useShownText(answer: TextOf | undefined, recorded: boolean) {
  return useMemo((): ShownText | null => {
    if (answer === undefined || answer.textRemoved) return null;
    const { text, mentions, statements } = answer;
    const layers = layersOf(text, mentions, statements, cuesOf(mentions, null, null));
    const rendered = recorded ? null : richTextOf(text, layers);
    const nodes = rendered ?? recordedText(text);
    const notes = notesOf(nodes, layers, statements);
    return { nodes, layers, notes, statements, isRecorded: rendered === null };
  }, [answer, recorded]);
}

/** A citation by its place, or a sentence. */
type Lighted = number | Statement;

/** What brings out a citation's sentences, or a sentence's citations, while it is looked at. */
export type LightOf = (lighted: Lighted) => {
  readonly onMouseEnter: () => void;
  readonly onMouseLeave: () => void;
  readonly onFocus: () => void;
  readonly onBlur: () => void;
};

/** What is brought out. */
export interface Lit {
  readonly statements: readonly Statement[];
  readonly citations: readonly number[];
}

/**
 * What is brought out: what is pointed at or tapped, or else what has focus, since a page that
 * scrolls takes what is below a pointer away from it. Of a citation its sentences, of a sentence
 * its citations.
 */
export function useLight(shown: ShownText | null): {
  readonly lit: Lit;
  readonly lightOf: LightOf;
} {
  const [pointed, setPointed] = useState<Lighted | null>(null);
  const [focused, setFocused] = useState<Lighted | null>(null);
  const lightOf = (lighted: Lighted) => ({
    onMouseEnter: () => setPointed(lighted),
    onMouseLeave: () => setPointed(null),
    onFocus: () => setFocused(lighted),
    onBlur: () => setFocused(null),
  });
  return { lit: litBy(pointed ?? focused, shown?.statements ?? []), lightOf };
}

function litBy(lighted: Lighted | null, statements: readonly Statement[]): Lit {
  if (lighted === null) return { statements: [], citations: [] };
  if (typeof lighted !== "number") {
    return { statements: [lighted], citations: lighted.citations };
  }
  return {
    statements: statements.filter(({ citations }) => citations.includes(lighted)),
    citations: [lighted],
  };
}

interface RichTextProps {
  readonly shown: ShownText;
  readonly lit: Lit;
  readonly lightOf: LightOf;
  /** Goes to a citation in the list below. */
  readonly onOpen: (citation: number) => void;
  /** What a citation is called for those who do not see its place. */
  readonly nameOf: (citation: number) => string;
}

/** A text of an answer, of which nothing is trusted: elements are made of its tree alone. */
export function RichText(props: RichTextProps) {
  const { shown, lit } = props;
  const draw: Draw = {
    ...props,
    isLit: ({ start }) => lit.statements.some((each) => each.start <= start && start < each.end),
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
  const { text, start } = piece;
  const { statements } = draw.shown;
  const next = firstFrom(statements.length, (at) => statements[at]?.end ?? 0, start + 1);
  const statement = statements[next];
  const light = statement === undefined || statement.start > start ? {} : draw.lightOf(statement);
  const words = draw.shown.isRecorded ? <Recorded text={text} /> : <BreakableText text={text} />;
  return (
    <>
      <span data-at={start} data-lit={draw.isLit(piece) ? "" : undefined} {...light}>
        <MarkedPiece piece={piece}>{words}</MarkedPiece>
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
        data-lit={lit.citations.includes(citation) ? "" : undefined}
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
