import { type ExplanationName, explanations } from "../data/explanations.ts";

/** What a word means, an example, and where the guide says more. */
export function ExplanationText({ of }: { readonly of: ExplanationName }) {
  const { title, text, example, guide } = explanations[of];
  return (
    <>
      <strong>{title}</strong>
      <p>{text}</p>
      <p>{example}</p>
      <a href={`/docs/${guide}`} target="_blank" rel="noreferrer">
        More in the guide
      </a>
    </>
  );
}
