/** A link to the guide of collection, or to one of its parts. */
export function GuideLink({ at = "", text }: { readonly at?: string; readonly text: string }) {
  return (
    <a href={`/docs/guide/collection${at}`} target="_blank" rel="noreferrer">
      {text}
    </a>
  );
}
