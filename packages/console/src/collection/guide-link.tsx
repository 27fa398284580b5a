import css from "./collection.module.css";

/** A link to the guide of collection, or to one of its parts. */
export function GuideLink({ at = "", text }: { readonly at?: string; readonly text: string }) {
  return (
    <a
      className={css["guide"]}
      href={`/docs/guide/collection${at}`}
      target="_blank"
      rel="noreferrer"
    >
      {text}
    </a>
  );
}
