import assert from "node:assert/strict";
import { test } from "node:test";
import { draftOf } from "../accounts/draft.ts";
import {
  choiceOf,
  planWords,
  type Rules,
  setInFile,
  withCap,
  withModel,
  withProvider,
  withRule,
} from "./asked-rules.ts";

const page = { provider: "OPENAI" as const, surface: "web" as const };
const claude = { provider: "ANTHROPIC" as const, model: "claude-x", regions: ["DE"] };
const rules: Rules = {
  cron: "0 6 * * *",
  providers: ["OPENAI", page, claude],
  caps: { dollarsPerDay: 5, callsPerDay: 100, providers: { OPENAI: { dollarsPerDay: 2 } } },
  mixSurfaces: true,
};

test("a provider that is taken out and put back is asked as before", () => {
  const without = withProvider(rules, rules, "OPENAI", false);
  assert.deepEqual(without.providers, [claude]);
  const added = withProvider(without, rules, "GROK", true);
  assert.deepEqual(added.providers, [claude, "GROK"]);
  assert.deepEqual(withProvider(without, rules, "OPENAI", true).providers, rules.providers);
  assert.deepEqual(withProvider({ providers: ["GROK"] }, {}, "GROK", false), {});
});

test("a field is edited, and what the form does not know stays", () => {
  assert.deepEqual(withModel(rules, claude, "claude-y").providers, [
    "OPENAI",
    page,
    { ...claude, model: "claude-y" },
  ]);
  assert.deepEqual(withCap(rules, undefined).caps, {
    callsPerDay: 100,
    providers: { OPENAI: { dollarsPerDay: 2 } },
  });
  assert.deepEqual(withCap({ caps: { dollarsPerDay: 5 } }, undefined), {});
  assert.deepEqual(withRule({ samples: 2 }, "samples", undefined), {});
});

test("what is asked is said in words, and what only the file says, too", () => {
  assert.deepEqual(planWords(rules), [
    "Every day at 06:00 (UTC)",
    "ChatGPT, Claude",
    "1 sample of each prompt",
    "At most $5.00 a day",
  ]);
  const names = { caseSensitive: false, aliases: [], domains: [] };
  const draft = draftOf({
    account: { id: "a", name: "Acme" },
    brand: { id: "b", name: "Acme", ...names },
    competitors: [],
    collection: rules,
    topics: [{ id: "t", name: "Anvils", collection: { samples: 3 } }],
    prompts: [{ id: "p", text: "Which anvil?", paused: false }],
  });
  assert.deepEqual(setInFile(draft), [
    "at most 100 calls a day",
    "ChatGPT: at most $2.00 a day",
    "a provider may be asked on its API and its page",
    "rules of 1 topic",
  ]);
});

test("an estimate names what is edited alone", () => {
  assert.deepEqual(choiceOf(rules, rules).providers, []);
  const edited = { ...withProvider(rules, rules, "OPENAI", false), samples: 3, regions: ["DE"] };
  const { providers, samples, regions } = choiceOf(edited, rules);
  assert.deepEqual([providers, samples, regions], [["ANTHROPIC"], 3, ["DE"]]);
});
