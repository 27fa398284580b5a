/** What an id stands for, as the digits that it begins with. */
const prefixes = {
  account: "acc00000",
  entity: "e0e0e0e0",
  topic: "7090ca7e",
  prompt: "badc0de0",
  answer: "a45e0a45",
  unknown: "dead00fe",
} as const;

/** The id of an index, in lower case; it has letters, so that its case can be changed. */
export function idOf(kind: keyof typeof prefixes, index: number): string {
  return `${prefixes[kind]}-0000-4000-8000-${index.toString(16).padStart(12, "0")}`;
}
