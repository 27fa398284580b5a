import { after, before } from "node:test";
import type { Client } from "@modelcontextprotocol/client";
import { httpClient } from "@sightline/test-kit/assistant.ts";
import type { AfterHook } from "@sightline/test-kit/sample-account.ts";
import type { TestService } from "@sightline/test-kit/test-service.ts";

/** A service, and a session of one of its accounts. */
interface Prepared {
  readonly service: TestService;
  readonly token: string;
}

/**
 * One service for all tests of a file, since no tool changes anything, and an assistant at it.
 *
 * @param prepare makes the service; it is to be stopped by the hook, at the file's end.
 * @returns what gives the assistant within a test.
 */
export function preparedClient(prepare: (whole: AfterHook) => Promise<Prepared>): () => Client {
  const hooks: (() => Promise<void>)[] = [];
  const whole: AfterHook = { after: (hook) => void hooks.unshift(hook) };
  let client: Client | null = null;
  before(async () => {
    const { service, token } = await prepare(whole);
    client = await httpClient(whole, { url: await service.listen(), token });
  });
  after(async () => {
    for (const hook of hooks) await hook();
  });
  return () => {
    if (client === null) throw new Error("no test runs yet");
    return client;
  };
}
