import type { Provider } from "@sightline/contract";
import type { AskedQuestion, VendorRequest } from "../../adapter.ts";

/** The host of Cloro's API. */
export const cloroHost = "api.cloro.dev";

/** Tasks are taken and looked up in a moment. */
const withinMs = 60_000;
const promptCharactersMax = 10_000;

/** The country of a page whose task names none, as Cloro documents it. */
export const regionUnlessSaid = "US";

/** The pages that Cloro looks at, by the names of its tasks. */
const cloroTasks: Partial<Readonly<Record<Provider, string>>> = {
  COPILOT: "COPILOT",
  OPENAI: "CHATGPT",
  PERPLEXITY: "PERPLEXITY",
  GEMINI: "GEMINI",
  GROK: "GROK",
};

/** Why a question cannot be asked of Cloro; null: it can. */
export function cloroRefusal({ prompt, provider, model }: AskedQuestion): string | null {
  if (cloroTasks[provider] === undefined) return `Cloro has no page of ${provider}`;
  if (model !== null) return `Cloro asks pages, whose model cannot be chosen, got ${model}`;
  return prompt.length > promptCharactersMax
    ? `Cloro takes prompts of at most ${promptCharactersMax} characters`
    : null;
}

/** The request that is billed: for a task. Its key keeps it from being made, and paid, twice. */
export function cloroRequest({ id, prompt, region, provider }: AskedQuestion): VendorRequest {
  return {
    method: "POST",
    host: cloroHost,
    path: "/v1/async/task",
    body: {
      taskType: cloroTasks[provider],
      idempotencyKey: id,
      payload: {
        prompt,
        ...(region === null ? {} : { country: region }),
        include: { markdown: true },
      },
    },
    isPaid: true,
    withinMs,
  };
}

/** The request for a task's page, which costs nothing. */
export function cloroLook(taskId: string): VendorRequest {
  const path = `/v1/async/task/${taskId}`;
  return { method: "GET", host: cloroHost, path, isPaid: false, withinMs };
}
