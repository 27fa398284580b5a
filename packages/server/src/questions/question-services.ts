import type { DeclaredWorkspaces } from "../accounts/declared-workspaces.ts";
import type { Control } from "../control/control.ts";
import type { ReplyCache } from "../http/reply-cache.ts";
import type { Facts } from "./facts.ts";

/** What questions are answered with. */
export interface QuestionServices {
  readonly control: Control;
  readonly facts: Facts;
  readonly workspaces: DeclaredWorkspaces;
  readonly replyCache: ReplyCache;
}
