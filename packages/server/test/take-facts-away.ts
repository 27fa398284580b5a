import { mkdirSync, rmSync } from "node:fs";
import type { TestService } from "./test-service.ts";

/** Makes an account's facts unreadable: from now on they are not ready. */
export async function takeFactsAway(service: TestService, accountId: string): Promise<void> {
  const { engine, folder } = service.services;
  await engine.close();
  const { facts } = folder.account(accountId);
  rmSync(facts);
  mkdirSync(facts);
}
