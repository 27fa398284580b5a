import assert from "node:assert/strict";
import { after, test } from "node:test";
import { fromConsole } from "@sightline/test-kit/console-page.ts";
import { assertProblem, sameForAll } from "@sightline/test-kit/requests/problem-shape.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { deleteAccount } from "../../account-deletions.ts";
import { firstRunCode } from "../../first-run/link.ts";

const service = await TestService.start();
after(() => service.close());
const { clock } = service;
const { keyRing, control } = service.services;

const check = (code: string) =>
  service.post("/console/first-run", { body: { code }, headers: fromConsole });
const workspace = { account: "Acme", brand: "Acme" };

test("changed, old and invented links are refused alike, and guesses are throttled", async () => {
  const code = firstRunCode(keyRing, clock.now());
  const [digits = "", mark = ""] = code.split(".");
  const later = (Number.parseInt(digits, 36) + 1).toString(36);
  const wrong = [
    ...[`${later}.${mark}`, `${digits}.${mark.slice(1)}A`, `${code}x`, "", "a.b"],
    firstRunCode(keyRing, clock.now() - 3_600_000),
    firstRunCode(keyRing, clock.now() + 1), // of a clock that goes ahead
  ];
  const problems = [];
  for (const each of wrong)
    problems.push(sameForAll(assertProblem(await check(each), "key_invalid")));
  for (const problem of problems) assert.deepEqual(problem, problems[0]);
  for (let guess = wrong.length; guess < 10; guess++) await check("guess");
  assertProblem(await check(code), "rate_limited");
  clock.advance(60_000);
  assert.equal((await check(code)).status, 200);
  clock.advance(3_600_000 - 60_000 - 1);
  assert.equal((await check(code)).status, 200);
  clock.advance(1);
  assertProblem(await check(code), "key_invalid");
});

test("only the console's page may ask", async () => {
  const body = { code: firstRunCode(keyRing, clock.now()), workspace };
  for (const path of ["/console/first-run", "/console/first-run/account"]) {
    for (const headers of [{}, { ...fromConsole, origin: "https://other.example" }]) {
      assertProblem(await service.post(path, { body, headers }), "not_from_console");
    }
  }
  assertProblem(await service.request("GET", "/console/first-run"), "not_from_console");
});

test("a link is invalid once there was an account, which a command may have created", async () => {
  const code = firstRunCode(keyRing, clock.now());
  clock.advance(1_000);
  const accountId = await service.apply(workspace);
  assertProblem(await check(code), "key_invalid");
  await deleteAccount(control, accountId, clock.now());
  assertProblem(await check(code), "key_invalid");
  clock.advance(1_000);
  assert.equal((await check(firstRunCode(keyRing, clock.now()))).status, 200);
});
