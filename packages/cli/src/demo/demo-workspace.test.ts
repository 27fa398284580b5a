import assert from "node:assert/strict";
import { test } from "node:test";
import { demoWorkspace } from "./demo-workspace.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

test("it has one brand, six competitors, eight topics and sixty prompts, eight branded", () => {
  const { competitors, topics, prompts } = demoWorkspace;
  assert.deepEqual([competitors.length, topics.length, prompts.length], [6, 8, 60]);
  assert.equal(prompts.filter(({ branded }) => branded).length, 8);
});

test("its ids are uuids and differ", () => {
  const ids = [demoWorkspace.account.id, ...demoWorkspace.prompts.map(({ id }) => id)];
  for (const id of ids) assert.match(id, uuid);
  assert.equal(new Set(ids).size, ids.length);
});

test("a prompt is branded exactly when its text names the brand", () => {
  for (const { text, branded } of demoWorkspace.prompts) {
    assert.equal(branded, text.includes(demoWorkspace.brand.name), text);
  }
});

test("every topic that a prompt names is declared, and every declared one is used", () => {
  const used = new Set(demoWorkspace.prompts.map(({ topic }) => topic));
  assert.deepEqual([...used], [...demoWorkspace.topics.map(({ name }) => name)]);
});

test("no two entities share a name, alias or domain, and all domains are reserved", () => {
  const entities = [demoWorkspace.brand, ...demoWorkspace.competitors];
  const names = entities.flatMap(({ name, aliases }) => [
    name,
    ...aliases.map((alias) => (typeof alias === "string" ? alias : alias.name)),
  ]);
  const domains = entities.flatMap((entity) => entity.domains);
  assert.equal(new Set(names).size, names.length);
  assert.equal(new Set(domains).size, domains.length);
  for (const domain of domains) assert.match(domain, /^[a-z-]+\.example(\/[a-z/]+)?$/);
});

test("it is plain data: JSON gives it back", () => {
  assert.deepEqual(JSON.parse(JSON.stringify(demoWorkspace)), demoWorkspace);
});
