import type { TaggedWorkspaceFile } from "@sightline/client";
import type { Account } from "../data/account.ts";
import { useManaged } from "../data/managed.ts";
import type { Reply } from "../data/queries.ts";

/** What is tracked as a workspace file, and its entity tag. */
export function useWorkspaceFile(): Reply<TaggedWorkspaceFile> {
  const ask = ({ client }: Account, signal: AbortSignal) => client.workspaceFile({ signal });
  return useManaged({ name: "workspaceFile", ask });
}
