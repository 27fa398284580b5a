import { mkdirSync, rmSync } from "node:fs";
import type { TestService } from "../test-service.ts";
import { takeClusterFacts } from "./forget-facts.ts";

/** Makes an account's facts unreadable: from now on they are not ready. */
export async function takeFactsAway(service: TestService, accountId: string): Promise<void> {
  const { engine, folder, config } = service.services;
  if (config.postgresUrl !== null) return takeClusterFacts(config.postgresUrl, accountId);
  await engine.close();
  const { facts } = folder.account(accountId);
  rmSync(facts);
  mkdirSync(facts);
}
