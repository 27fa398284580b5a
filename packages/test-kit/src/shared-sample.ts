import { atProcessEnd } from "./process-end.ts";
import { type SampleService, startSample } from "./sample-account.ts";
import { TestService } from "./test-service.ts";

// TRICKY: what follows an await belongs to the file that made the promise, in the runner's eyes. So
// each caller gets a promise of its own: tests declared after it would otherwise be lost.
let started: Promise<SampleService> | null = null;

/**
 * The service of `startSample` that this process's tests have in common, for tests that ask and
 * change nothing: neither the account, nor the clock, nor what runs.
 */
export async function sharedSample(): Promise<SampleService> {
  started ??= startSample({ after: atProcessEnd });
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
  atProcessEnd(() => service.close());
  return service;
}
