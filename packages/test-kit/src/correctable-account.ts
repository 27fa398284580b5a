import { deleteAnswersPath, type ImportsResponse, importsPath } from "@sightline/contract";
import { corpusAnswer, corpusWorkspace } from "./sample-corpus.ts";
import type { TestService } from "./test-service.ts";

/** All of the corpus. */
export const everything = {
  timeRange: { from: "2026-01-01T00:00:00Z", to: "2027-01-01T00:00:00Z" },
};

/** A new account with so many answers of one import, and a session that may do everything. */
export async function correctableAccount(service: TestService, name: string, answers: number) {
  const accountId = await service.apply({ ...corpusWorkspace, account: { name } });
  const token = await service.session(accountId, ["read", "import", "manage"]);
  await service.import(
    accountId,
    Array.from({ length: answers }, (_, number) => corpusAnswer(number)),
  );
  const headers = { authorization: `Bearer ${token}` };
  const request = (method: "GET" | "DELETE", path: string) =>
    service.request(method, path, { headers });
  return {
    accountId,
    list: async () => (await request("GET", importsPath)).json<ImportsResponse>().imports,
    undo: (importId: string) => request("DELETE", `${importsPath}/${importId}`),
    remove: (body: unknown) =>
      service.post(deleteAnswersPath, { token, body: JSON.stringify(body) }),
    count: async () => {
      const reply = await request("GET", "/v1/workspace");
      return reply.json<{ answers: { count: number } }>().answers.count;
    },
  };
}
