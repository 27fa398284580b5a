import { Fragment, type ReactNode } from "react";

/** A sentence of the service, whose names of commands and fields stand between backticks. */
export function Worded({ text }: { readonly text: string }): ReactNode {
  const pieces = text.split("`");
  // An odd backtick is one of the text's own.
  if (pieces.length % 2 === 0) return text;
  return pieces.map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never move
    <Fragment key={index}>{index % 2 === 0 ? piece : <code>{piece}</code>}</Fragment>
  ));
}
