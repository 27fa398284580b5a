import type { DeclaredWorkspaceResponse } from "@sightline/client";

/**
 * A workspace file as YAML, an item on each line, so that two of them are easy to compare. Texts
 * are quoted as JSON has it, which YAML reads the same.
 */
export function workspaceYaml(file: DeclaredWorkspaceResponse): string {
  const { account, brand, competitors, collection, topics, prompts } = file;
  const list = (name: string, items: readonly object[]): readonly string[] =>
    items.length === 0 ? [] : [`${name}:`, ...items.map((item) => `  - ${flow(item)}`)];
  const lines = [
    `account: ${flow(account)}`,
    `brand: ${flow(brand)}`,
    ...list("competitors", competitors),
    ...(collection === undefined ? [] : [`collection: ${flow(collection)}`]),
    ...list("topics", topics),
    ...list("prompts", prompts),
  ];
  return `${lines.join("\n")}\n`;
}

/** `{ name: "Acme", domains: ["acme.example"] }`; what is left out means the same is left out. */
function flow(value: object): string {
  const said = Object.entries(value).filter(
    ([name, each]) =>
      !((name === "paused" || name === "caseSensitive") && each === false) &&
      // No region is another thing than what is around says.
      !(Array.isArray(each) && each.length === 0 && name !== "regions"),
  );
  return `{ ${said.map(([name, each]) => `${name}: ${flowValue(each)}`).join(", ")} }`;
}

function flowValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flowValue).join(", ")}]`;
  return typeof value === "object" && value !== null ? flow(value) : JSON.stringify(value);
}
