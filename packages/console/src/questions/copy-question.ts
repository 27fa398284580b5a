import { sent, type ViewFilters } from "../data/filters.ts";
import { copyText } from "../parts/save.ts";
import { commandText, curlText, sdkText } from "./copied-question.ts";

/** What a list asks of the service. */
export interface CopiedQuestion {
  /** The operation's address, such as /v1/evidence. */
  readonly path: string;
  /** The client's call, such as evidence. */
  readonly call: string;
  readonly body: { readonly filters: ViewFilters } & object;
  /** What follows `sightline query`, without the filters. */
  readonly command: readonly [string, ...string[]];
}

/** Puts a question into the clipboard. */
export function copyQuestion(
  { path, call, body, command: [name, ...own] }: CopiedQuestion,
  form: "curl" | "sdk" | "command",
): Promise<void> {
  switch (form) {
    case "curl":
      return copyText(curlText(path, sent(body)));
    case "sdk":
      return copyText(sdkText(call, sent(body)));
    case "command":
      return copyText(commandText(name, body.filters, own));
  }
}
