import assert from "node:assert/strict";
import { test } from "node:test";
import { idOf, type NameKind } from "./names.ts";

const topic: NameKind = { option: "--topic", plural: "topics", byPart: false };
const prompt: NameKind = { option: "--prompt", plural: "prompts", byPart: true };
const topics = [
  { id: "1", name: "Camp cooking" },
  { id: "2", name: "Tents" },
  { id: "3", name: "tents" },
  { id: "4", name: "Straße" },
  { id: "5", name: "Ｗide" },
];
const prompts = [
  { id: "6", name: "What is the best two-person tent?" },
  { id: "7", name: "What is the best stove?" },
];

test("an id stands for itself, in any case, known or not", () => {
  const id = "1BEABF74-f871-5c29-92d3-2affa4d7571e";
  assert.equal(idOf(id, topic, []), id);
});

test("a name: exactly so first, then in any case, form and spacing", () => {
  assert.equal(idOf("Camp cooking", topic, topics), "1");
  assert.equal(idOf(" camp  COOKING ", topic, topics), "1");
  assert.equal(idOf("Tents", topic, topics), "2");
  assert.equal(idOf("tents", topic, topics), "3");
  assert.equal(idOf("wide", topic, topics), "5");
});

test("a name that several have is not guessed", () => {
  assert.throws(() => idOf("TENTS", topic, topics), {
    exitStatus: 2,
    message: '--topic: "TENTS" matches 2 topics. Use an id instead:\n  2  Tents\n  3  tents',
  });
});

test("a prompt may be named by a part that no other has; a topic may not", () => {
  assert.equal(idOf("two-person", prompt, prompts), "6");
  assert.equal(idOf("what is the best stove?", prompt, prompts), "7");
  assert.throws(() => idOf("the best", prompt, prompts), /matches 2 prompts/);
  assert.throws(() => idOf("cooking", topic, topics), /is not one of the account's topics/);
  assert.throws(() => idOf("", prompt, prompts), /is not one of the account's prompts/);
});

test("an unknown name: the nearest one, else those that there are", () => {
  const message = (name: string, known = topics) => {
    try {
      return idOf(name, topic, known);
    } catch (error) {
      return error instanceof Error ? error.message : "";
    }
  };
  const is = (name: string) => `--topic: "${name}" is not one of the account's topics.`;
  assert.equal(message("Camp coking"), `${is("Camp coking")} Did you mean "Camp cooking"?`);
  assert.equal(message("Boots", []), `${is("Boots")} The account has none.`);
  const many = Array.from({ length: 10 }, (_, index) => ({
    id: `${index}`,
    name: `Topic ${index}`,
  }));
  assert.equal(
    message("Boots", many),
    `${is("Boots")} The account has:\n${many
      .slice(0, 8)
      .map(({ id, name }) => `  ${id}  ${name}\n`)
      .join("")}  and 2 more; see: sightline query workspace`,
  );
});
