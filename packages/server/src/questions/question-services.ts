import type { DeclaredWorkspaces } from "../accounts/declared-workspaces.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import type { ReplyCache } from "../http/reply-cache.ts";
import type { Facts } from "./facts.ts";

/** What questions are answered with. */
export interface QuestionServices {
  readonly control: ControlEngine;
  readonly facts: Facts;
  readonly workspaces: DeclaredWorkspaces;
  readonly replyCache: ReplyCache;
}
