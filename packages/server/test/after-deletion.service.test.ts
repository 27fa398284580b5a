import assert from "node:assert/strict";
import { after, test } from "node:test";
import { corpusAnswers, corpusWorkspace } from "@sightline/test-kit/sample-corpus.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";
import { deleteAccount } from "../src/accounts/account-deletions.ts";
import { revisionOf } from "../src/accounts/account-store.ts";
import { progressOf } from "../src/accounts/progress-store.ts";
import { eraseAccount } from "../src/answers/corrections/corrections.ts";

const service = await TestService.start();
after(() => service.close());
const { control, answers, cluster, engine } = service.services;

const changed = (name: string, competitors: readonly object[]) =>
  service.apply({ ...corpusWorkspace, account: { name }, competitors });

/** Deletes an account, and waits until the server has closed it. */
async function deleted(accountId: string): Promise<void> {
  assert.equal(await deleteAccount(control, accountId, service.clock.now()), true);
  await eraseAccount(
    { answers, control, clock: service.clock, eraseFacts: cluster?.eraseFacts ?? null },
    accountId,
  );
  await until("closed", async () => ((await engine.state(accountId)) === null ? true : null));
}

/** Waits for facts of the workspace of now; nobody asks for them. */
async function followed(accountId: string): Promise<void> {
  const revision = await revisionOf(control, accountId);
  await until("the facts follow", async () => {
    const progress = await progressOf(control, accountId);
    return progress?.projected?.revision === revision ? true : null;
  });
}

test("what changes after the account that changed last was deleted is seen", async () => {
  const other = await changed("Other", []);
  await service.import(other, corpusAnswers(20));
  const last = await changed("Last", []);
  await service.import(last, corpusAnswers(20));
  await followed(last);
  await deleted(last);
  await changed("Other", [{ name: "Initech" }]);
  await followed(other);

  await deleted(other);
  const anew = await changed("Anew", []);
  await service.import(anew, corpusAnswers(20));
  await changed("Anew", [{ name: "Initech" }]);
  await followed(anew);
});
