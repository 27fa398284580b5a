import { rmSync } from "node:fs";
import { fiveReplies } from "@sightline/test-kit/requests/five-questions.ts";
import { corpusAnswers } from "@sightline/test-kit/sample-corpus.ts";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";

/** What an account of one node replies. */
export interface EmbeddedReplies {
  readonly replies: readonly string[] | null;
  /** How many answers count. */
  readonly counted: number;
}

/** The replies of a service on one node, whose accounts have the first answers of the corpus. */
export async function embeddedReplies(
  workspaces: readonly object[],
  answers: number,
): Promise<ReadonlyMap<string, EmbeddedReplies>> {
  const dataDir = temporaryFolder();
  const service = await TestService.start({ dataDir });
  try {
    const replies = new Map<string, EmbeddedReplies>();
    for (const workspace of workspaces) {
      const accountId = await service.apply(workspace);
      await service.import(accountId, corpusAnswers(answers));
      const token = await service.session(accountId);
      const headers = { authorization: `Bearer ${token}` };
      const { json } = await service.request("GET", "/v1/workspace", { headers });
      replies.set(accountId, {
        replies: await fiveReplies((path, body) => service.post(path, { token, body })),
        counted: json<{ answers: { count: number } }>().answers.count,
      });
    }
    return replies;
  } finally {
    await service.close();
    rmSync(dataDir, { recursive: true });
  }
}
