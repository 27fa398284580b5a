import { Argument, Command } from "commander";
import { bashCompletion } from "../completion/bash.ts";
import { type CompletedCommand, commandTree } from "../completion/command-tree.ts";
import { fishCompletion } from "../completion/fish.ts";
import { zshCompletion } from "../completion/zsh.ts";
import { withExamples } from "../examples.ts";
import { processSurroundings, type Surroundings } from "../surroundings.ts";

const shells = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
} as const satisfies Record<string, (tree: readonly CompletedCommand[]) => string>;

type Shell = keyof typeof shells;

/** `sightline completion SHELL`: a script generated from the program, which the shell loads. */
export function completionCommand(
  whole: () => Promise<Command>,
  surroundings: Surroundings = processSurroundings,
): Command {
  const command = new Command("completion")
    .description("print a script that lets a shell complete commands, options and their values")
    .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(shells)))
    .action(async (shell: Shell) => {
      surroundings.stdout.write(shells[shell](commandTree(await whole())));
    });
  return withExamples(
    command,
    ["source <(sightline completion bash)", "in ~/.bashrc"],
    ["source <(sightline completion zsh)", "in ~/.zshrc, after compinit"],
    ["sightline completion fish | source", "in ~/.config/fish/config.fish"],
  );
}
