import type { CompletedCommand, CompletedOption } from "./command-tree.ts";

/** A completion script for fish, with descriptions. */
export function fishCompletion(tree: readonly CompletedCommand[]): string {
  return `# fish completion of sightline. Load it with: sightline completion fish | source
function __sightline_path
    set -l path ""
    for word in (commandline -opc)[2..-1]
        switch "$path $word"
${tree
  .filter(({ path }) => path.length > 0)
  .map(
    ({ path }) =>
      `            case ${single(` ${path.join(" ")}`)}\n                set path "$path $word"`,
  )
  .join("\n")}
        end
    end
    echo "$path"
end
function __sightline_at
    test (__sightline_path) = "$argv[1]"
end
complete -c sightline -f
${tree.flatMap(linesOf).join("\n")}
`;
}

function linesOf(command: CompletedCommand): readonly string[] {
  const { path, inner, options, choices, argument } = command;
  const at = path.length === 0 ? "" : ` ${path.join(" ")}`;
  const start = `complete -c sightline -n ${single(`__sightline_at ${single(at)}`)}`;
  return [
    ...inner.map(({ name, description }) => `${start} -a ${name} -d ${single(description)}`),
    ...choices.map((choice) => `${start} -a ${single(choice)}`),
    ...(argument === "file" ? [`${start} -F`] : []),
    ...options.map((option) => `${start} ${flagsOf(option)} -d ${single(option.description)}`),
  ];
}

function flagsOf({ names, takesValue, choices, value }: CompletedOption): string {
  const flags = names.map((name) =>
    name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
  );
  if (!takesValue) return flags.join(" ");
  if (choices.length > 0) return [...flags, "-x", "-a", single(choices.join(" "))].join(" ");
  return [...flags, value === "other" ? "-x" : "-r -F"].join(" ");
}

function single(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
