/** Values of Authorization of 16 KiB, none of which is a token. */
export const hostileFields: readonly string[] = ["=", "a", " ", "a=", "a "].map(
  (text) => `Bearer ${text.repeat(8_000)}!`,
);

const wide = " ".repeat(16_000);

/** Values of Content-Type of 16 KiB, none of which is JSON. */
export const hostileTypes: readonly string[] = [
  `application/json${wide}x`,
  `application/json;${wide}charset${wide}`,
  `application/json${" ;".repeat(8_000)}x`,
];

/** JSON of two million brackets, and of two million escapes. */
export const manyBrackets: readonly string[] = [
  "[".repeat(1_000_000) + "]".repeat(1_000_000),
  `"${"\\\\".repeat(1_000_000)}"`,
];

const base = "account: { name: Acme }\nbrand: { name: Acme }\n";

/** Workspace files with very many faults. Looking for them in pairs would take minutes. */
export const faultyFiles: readonly (readonly [what: string, text: string])[] = [
  ["unknown fields", base + numbered(100_000, (number) => `k${number}: 1`)],
  ["wrong items", `${base}prompts:\n${numbered(100_000, () => "- 1")}`],
  ["a name used twice", `${base}topics:\n${numbered(50_000, () => "- { name: same }")}`],
  [
    "topics that are not declared",
    `${base}topics:\n${numbered(50_000, (number) => `- { name: topic ${number} }`)}prompts:\n` +
      numbered(50_000, (number) => `- { text: text ${number}, topic: tropic ${number} }`),
  ],
];

function numbered(count: number, line: (number: number) => string): string {
  return Array.from({ length: count }, (_, number) => `${line(number)}\n`).join("");
}
