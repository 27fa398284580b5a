import { after } from "node:test";
import { type SampleService, startSample } from "./sample-account.ts";
import { TestService } from "./test-service.ts";

// TRICKY: what follows an await belongs to the file that made the promise, in the runner's eyes. So
// each caller gets a promise of its own: tests declared after it would otherwise be lost.
const hooks: (() => Promise<void>)[] = [];
let started: Promise<SampleService> | null = null;

/**
 * The service of `startSample` that this process's tests have in common, for tests that ask and
 * change nothing: neither the account, nor the clock, nor what runs.
 */
export async function sharedSample(): Promise<SampleService> {
  started ??= startSample({ after: (hook) => void hooks.push(hook) });
  return started;
}

let empty: Promise<TestService> | null = null;

/**
 * A service that this process's tests have in common, for tests whose accounts are their own, by
 * names that no other file has. They may do anything to those, but neither move the clock nor
 * listen. The threads that import, remove and project start once.
 */
export async function sharedService(): Promise<TestService> {
  empty ??= startEmpty();
  return empty;
}

async function startEmpty(): Promise<TestService> {
  const service = await TestService.start();
  hooks.push(() => service.close());
  return service;
}

after(async () => {
  for (const hook of hooks) await hook();
});
