import type { CompletedCommand, CompletedOption, ValueKind } from "./command-tree.ts";
import { moreValuesPattern, pathCases, patternOf, valueCases } from "./shell-cases.ts";

const actions: Readonly<Record<ValueKind, string>> = {
  file: "_files",
  folder: "_files -/",
  other: "_message value",
};

/** A completion script for zsh, with descriptions. */
export function zshCompletion(tree: readonly CompletedCommand[]): string {
  return `#compdef sightline
# zsh completion of sightline. Load it with: source <(sightline completion zsh)
_sightline() {
  local command="" opened="" word previous=\${words[CURRENT-1]}
  local -i i
  local -a options inner
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    case "$word" in -*) opened=$word ;; esac
    case "$command $word" in
${pathCases(tree, "command")}
    esac
  done
  # Some options go on taking values until the next option.
  case "$opened \${words[CURRENT]}" in
    *" -"*) ;;
    ${moreValuesPattern(tree)}) previous=$opened ;;
  esac
  case "$command $previous" in
${valueCases(tree, offered)}
  esac
  case "$command" in
${tree.map(commandCase).join("\n")}
  esac
}
if [ "$funcstack[1]" = "_sightline" ]; then
  _sightline "$@"
else
  compdef _sightline sightline
fi
`;
}

function offered({ choices, value }: CompletedOption): string {
  return choices.length > 0 ? `compadd -- ${choices.map(single).join(" ")}` : actions[value];
}

function commandCase({ path, inner, options, choices, argument }: CompletedCommand): string {
  const words = inner.map(({ name, description }) => described(name, description));
  return `    "${patternOf(path)}")
      options=(
${options.flatMap(optionLines).join("\n")}
      )
      inner=(
${[...words, ...choices.map((choice) => described(choice, ""))].join("\n")}
      )
      if [[ $PREFIX == -* ]]; then
        _describe -o option options
      else
        _describe command inner
        ${argument === "other" ? ":" : actions[argument]}
      fi ;;`;
}

function optionLines({ names, description }: CompletedOption): readonly string[] {
  return names.map((name) => described(name, description));
}

/** A word and its description, separated by a colon, as _describe takes them. */
function described(word: string, description: string): string {
  const plain = word.replaceAll(":", "\\:");
  return `        ${single(description === "" ? plain : `${plain}:${description}`)}`;
}

function single(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
