import type { DeclaredWorkspaces } from "../accounts/declared-workspaces.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import type { ReplyCache } from "../http/reply-cache.ts";
import type { Facts } from "./facts.ts";
import type { AnswerPrices } from "./plan.ts";
import type { Previews } from "./preview/previews.ts";

/** What questions are answered with. */
export interface QuestionServices {
  readonly control: ControlEngine;
  readonly facts: Facts;
  readonly workspaces: DeclaredWorkspaces;
  readonly previews: Previews;
  readonly replyCache: ReplyCache;
  /** What an answer of each provider costs the account today, as far as it is known. */
  readonly answerPrices: (accountId: string) => Promise<AnswerPrices>;
}
