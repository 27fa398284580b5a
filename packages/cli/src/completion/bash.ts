import type { CompletedCommand, CompletedOption, ValueKind } from "./command-tree.ts";
import { moreValuesPattern, pathCases, patternOf, valueCases } from "./shell-cases.ts";

const actions: Readonly<Record<ValueKind, string>> = {
  file: "_sightline_paths -f",
  folder: "_sightline_paths -d",
  other: ":",
};

/**
 * A completion script for bash 3.2 and newer. It finds the command among the typed words, then
 * offers the values of the option before the cursor, or options, commands and files.
 */
export function bashCompletion(tree: readonly CompletedCommand[]): string {
  return `# bash completion of sightline. Load it with: source <(sightline completion bash)
_sightline_words() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$1" -- "$current"))
}
_sightline_paths() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen "$1" -- "$current"))
}
_sightline() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  local path="" opened="" word i
  COMPREPLY=()
  # --option=value comes as three words.
  if [ "$current" = "=" ]; then
    current=""
  elif [ "$previous" = "=" ]; then
    previous=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case "$word" in -*) opened=$word ;; esac
    case "$path $word" in
${pathCases(tree, "path")}
    esac
  done
  # Some options go on taking values until the next option.
  case "$opened $current" in
    *" -"*) ;;
    ${moreValuesPattern(tree)}) previous=$opened ;;
  esac
  case "$path $previous" in
${valueCases(tree, offered)}
  esac
  case "$path" in
${tree.map(commandCase).join("\n")}
  esac
}
complete -F _sightline sightline
`;
}

function offered({ choices, value }: CompletedOption): string {
  return choices.length > 0 ? `_sightline_words ${quotedList(choices)}` : actions[value];
}

function commandCase({ path, inner, options, choices, argument }: CompletedCommand): string {
  const optionNames = options.flatMap(({ names }) => names);
  const words = [...inner.map(({ name }) => name), ...choices];
  const files = argument === "other" ? "" : `${actions[argument]}; `;
  return `    "${patternOf(path)}")
      case "$current" in
        -*) _sightline_words ${quotedList(optionNames)} ;;
        *) ${files}${words.length > 0 ? `_sightline_words ${quotedList(words)}` : ":"} ;;
      esac ;;`;
}

/** Words for compgen -W, which splits them at IFS, a line break here. */
function quotedList(words: readonly string[]): string {
  const list = words.map((word) => word.replaceAll(/[\\$`"']/g, "\\$&")).join("\\n");
  return `$'${list}'`;
}
