import assert from "node:assert/strict";
import { after, test } from "node:test";
import { fiveReplies } from "@sightline/test-kit/requests/five-questions.ts";
import { corpusAnswer, corpusWorkspace } from "@sightline/test-kit/sample-corpus.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { workspaceOf } from "../src/accounts/account-store.ts";
import { type AnswerSelection, everyAnswer } from "../src/answers/answer-store.ts";
import {
  removeAnswers,
  selectionOfFilters,
  undoImport,
} from "../src/answers/corrections/corrections.ts";
import { importsOf } from "../src/answers/import-store.ts";

const service = await TestService.start();
after(() => service.close());
const { services } = service;
const providers = ["OPENAI", "GEMINI"] as const;
const answers = Array.from({ length: 300 }, (_, number) => corpusAnswer(number));

/** An account of its own that tracks the corpus's names. */
async function account(name: string) {
  const accountId = await service.apply({ ...corpusWorkspace, account: { name } });
  const token = await service.session(accountId);
  const replies = async () => {
    await service.settle(accountId);
    const given = await fiveReplies((path, body) => service.post(path, { token, body }));
    assert.ok(given !== null);
    // Another account's entities have other ids.
    return given.map((body) => body.replaceAll(/"id":"[^"]*"/g, "")).join("\n");
  };
  return { accountId, replies };
}

test("after an import is undone, every reply is as if it had not been", async () => {
  const corrected = await account("Undone");
  await service.import(corrected.accountId, answers.slice(0, 100));
  service.clock.advance(1);
  await service.import(corrected.accountId, answers.slice(50));
  const [latest, first] = await importsOf(services.control, corrected.accountId);
  assert.deepEqual(
    [first?.accepted, latest?.accepted, latest?.duplicates, latest?.undoneAt],
    [100, 200, 50, null],
  );
  const wrong = await corrected.replies();
  assert.equal(await undoImport(services, corrected.accountId, latest?.id ?? ""), 200);
  const never = await account("Never imported");
  await service.import(never.accountId, answers.slice(0, 100));
  const right = await never.replies();
  assert.ok((await corrected.replies()) === right);
  assert.ok(wrong !== right);
  assert.equal(await undoImport(services, corrected.accountId, latest?.id ?? ""), 0);
  assert.notEqual((await importsOf(services.control, corrected.accountId))[0]?.undoneAt, null);
  service.clock.advance(1);
  await service.import(corrected.accountId, answers.slice(50));
  assert.ok((await corrected.replies()) === wrong, "the import again brings them back");
});

test("answers of a filter are those that its questions count", async () => {
  const { accountId, replies } = await account("Filtered");
  await service.import(accountId, answers);
  const workspace = await workspaceOf(services.control, accountId);
  const [topic] = workspace?.topics ?? [];
  assert.ok(topic !== undefined);
  const filters = {
    timeRange: { from: "2026-01-01T00:00:00Z", to: "2027-01-01T00:00:00Z" },
    topics: [{ id: topic.id.toUpperCase() }],
    providers: [...providers],
  };
  const selection = await selectionOfFilters(services.control, accountId, filters);
  const isSelected = (answer: (typeof answers)[number]) =>
    providers.some((each) => each === answer.provider) &&
    workspace?.prompts.find(({ id }) => id === answer.promptId)?.topicId === topic.id;
  const expected = answers.filter(isSelected);
  assert.ok(expected.length > 0 && expected.length < answers.length);
  assert.equal(await services.answers.count(accountId, selection), expected.length);
  assert.equal(await removeAnswers(services, accountId, selection), expected.length);
  const rest = await account("Rest");
  await service.import(
    rest.accountId,
    answers.filter((answer) => !isSelected(answer)),
  );
  assert.ok((await replies()) === (await rest.replies()));
});

test("an account whose answers are all removed has none, and takes new ones", async () => {
  const { accountId, replies } = await account("Emptied");
  const empty = await replies();
  await service.import(accountId, answers);
  const full = await replies();
  assert.equal(await removeAnswers(services, accountId, everyAnswer), answers.length);
  assert.ok((await replies()) === empty);
  await service.import(accountId, answers);
  assert.ok((await replies()) === full);
});

test("nothing of another account is counted or removed", async () => {
  const [mine, theirs] = [await account("Mine"), await account("Theirs")];
  await service.import(theirs.accountId, answers);
  const before = await theirs.replies();
  const [imported] = await importsOf(services.control, theirs.accountId);
  assert.equal(await undoImport(services, mine.accountId, imported?.id ?? ""), null);
  const selections: readonly Partial<AnswerSelection>[] = [{}, { importId: imported?.id ?? "" }];
  for (const selection of selections) {
    const whole = { ...everyAnswer, ...selection };
    assert.equal(await services.answers.count(mine.accountId, whole), 0);
    assert.equal(await removeAnswers(services, mine.accountId, whole), 0);
  }
  assert.ok((await theirs.replies()) === before);
});
