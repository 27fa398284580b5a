import { type FieldError, quoted } from "@sightline/contract";
import type { AnswerLine } from "./answer-schema.ts";
import type { PromptIndex } from "./prompt-index.ts";

/**
 * The id of the prompt that a line answers, from `promptId` or from the text `prompt`; or a fault.
 */
export function promptOfLine(
  { promptId, prompt }: AnswerLine,
  prompts: PromptIndex,
): string | FieldError {
  if (promptId === undefined || promptId === null) {
    return prompt === undefined || prompt === null ? neitherGiven : byText(prompt, prompts);
  }
  const text = prompts.textOf(promptId);
  if (text === undefined) {
    const message =
      `${promptId} is not a prompt of this account. ` +
      "Apply a workspace file that declares it, then import again.";
    return { path: "/promptId", code: "not_allowed", message };
  }
  if (prompt === undefined || prompt === null || prompt === text) return promptId;
  const message =
    `${quoted(prompt)} is not the text of prompt ${promptId}, which is ${quoted(text)}. ` +
    "Give one of promptId and prompt.";
  return { path: "/prompt", code: "not_allowed", message };
}

const neitherGiven: FieldError = {
  path: "/promptId",
  code: "missing",
  message: "is required, unless prompt gives the prompt's text.",
};

function byText(text: string, prompts: PromptIndex): string | FieldError {
  const id = prompts.idOf(text);
  if (typeof id === "string") return id;
  return { path: "/prompt", code: "not_allowed", message: unknownText(text, id, prompts) };
}

function unknownText(text: string, id: null | undefined, prompts: PromptIndex): string {
  if (id === null) return `${quoted(text)} is the text of several prompts. Give promptId.`;
  const nearest = prompts.nearest(text);
  const advice =
    nearest === null
      ? "Apply a workspace file that declares it, then import again."
      : `Did you mean ${quoted(nearest)}?`;
  return `${quoted(text)} is not the text of a prompt of this account. ${advice}`;
}
