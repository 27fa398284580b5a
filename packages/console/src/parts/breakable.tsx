import { Fragment } from "react";

/** Where a line may end in an address: before a dot, after a slash and the signs of a query. */
const ends = /(?=\.)|(?<=[/?&=_%:-])/;

/** Longer runs of letters may end anywhere, since no line of a phone has more. */
const run = /.{1,24}/gsu;

/** An address, whose lines end between its parts rather than inside a word. */
export function Breakable({ text }: { readonly text: string }) {
  return text
    .split(ends)
    .flatMap((part) => part.match(run) ?? [])
    .map((part, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
      <Fragment key={index}>
        {index === 0 ? null : <wbr />}
        {part}
      </Fragment>
    ));
}

/** What is longer than any word of prose: an address in a text. */
const long = /(\S{24,})/;

/** Prose whose addresses break between their parts. */
export function BreakableText({ text }: { readonly text: string }) {
  return text.split(long).map((piece, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never move
    index % 2 === 0 ? piece : <Breakable key={index} text={piece} />,
  );
}
