import { type CompletedCommand, type CompletedOption, moreNames } from "./command-tree.ts";

/** A command's path in the form of branches of bash's and zsh's `case`: with a leading space. */
export function patternOf(path: readonly string[]): string {
  return path.length === 0 ? "" : ` ${path.join(" ")}`;
}

/** Branches that follow the typed words into the tree, in the variable of that name. */
export function pathCases(tree: readonly CompletedCommand[], variable: string): string {
  return tree
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => `      "${patternOf(path)}") ${variable}="${patternOf(path)}" ;;`)
    .join("\n");
}

/** The pattern of options that take further values until the next option. */
export function moreValuesPattern(tree: readonly CompletedCommand[]): string {
  return moreNames(tree)
    .map((name) => `"${name} "*`)
    .join(" | ");
}

/** A branch for each option with a value: exactly what `offer` returns for it. */
export function valueCases(
  tree: readonly CompletedCommand[],
  offer: (option: CompletedOption) => string,
): string {
  const cases = tree.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map((option) => {
        const patterns = option.names.map((name) => `"${patternOf(path)} ${name}"`).join(" | ");
        return `    ${patterns}) ${offer(option)}; return ;;`;
      }),
  );
  return cases.join("\n");
}
