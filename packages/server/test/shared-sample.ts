import { after } from "node:test";
import { type SampleService, startSample } from "./sample-account.ts";

const hooks: (() => Promise<void>)[] = [];
let started: Promise<SampleService> | null = null;

/**
 * The service of `startSample` that this process's tests have in common, for tests that ask and
 * change nothing: neither the account, nor the clock, nor what runs.
 */
export function sharedSample(): Promise<SampleService> {
  started ??= startSample({ after: (hook) => void hooks.push(hook) });
  return started;
}

after(async () => {
  for (const hook of hooks) await hook();
});
