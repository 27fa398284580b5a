import type { Command } from "commander";

/** The properties of an option that completion needs. */
export interface CompletedOption {
  /** With its dashes; the short form too. */
  readonly names: readonly string[];
  readonly description: string;
  /** Whether a value follows. */
  readonly takesValue: boolean;
  /** Whether more values may follow the first. */
  readonly takesMore: boolean;
  /** The allowed values; empty when any value is allowed. */
  readonly choices: readonly string[];
  /** The kind of a free value. */
  readonly value: ValueKind;
}

/** What the shell itself can complete. */
export type ValueKind = "file" | "folder" | "other";

/** The properties of a command that completion needs. */
export interface CompletedCommand {
  /** The words after `sightline`, such as `keys create`; empty for sightline itself. */
  readonly path: readonly string[];
  readonly description: string;
  readonly inner: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly CompletedOption[];
  /** Allowed words of the first argument; empty when there is none, or any word is allowed. */
  readonly choices: readonly string[];
  readonly argument: ValueKind;
}

/** Every command with its options, read from the program, so that none is missing. */
export function commandTree(
  program: Command,
  path: readonly string[] = [],
): readonly CompletedCommand[] {
  const help = program.createHelp();
  const [argument] = program.registeredArguments;
  const own: CompletedCommand = {
    path,
    description: program.description(),
    inner: help
      .visibleCommands(program)
      .map((inner) => ({ name: inner.name(), description: inner.description() })),
    options: help.visibleOptions(program).map((option) => ({
      names: [option.short, option.long].filter((name) => name !== undefined && name !== null),
      description: option.description,
      takesValue: option.required || option.optional,
      takesMore: option.variadic,
      choices: option.argChoices ?? [],
      value: kindOf(option.flags),
    })),
    choices: argument?.argChoices ?? [],
    argument: argument === undefined ? "other" : kindOf(`<${argument.name()}>`),
  };
  return [
    own,
    ...program.commands.flatMap((inner) => [
      ...commandTree(inner, [...path, inner.name()]),
      ...inner.aliases().flatMap((alias) => commandTree(inner, [...path, alias])),
    ]),
  ];
}

/** The names of all options that take further values until the next option. */
export function moreNames(tree: readonly CompletedCommand[]): readonly string[] {
  const options = tree.flatMap((command) => command.options.filter(({ takesMore }) => takesMore));
  return [...new Set(options.flatMap(({ names }) => names))];
}

function kindOf(flags: string): ValueKind {
  if (/<files?(\.\.\.)?>/.test(flags)) return "file";
  return /<(dir|data-dir|folder)>|^--data-dir /.test(flags) ? "folder" : "other";
}
