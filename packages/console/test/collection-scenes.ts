import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { StartedCollection } from "@sightline/client";
import type { Page } from "playwright-core";
import { type CollectingService, startCollectingService } from "./collecting-service.ts";
import type { Scene } from "./page-scenes.ts";

const demo = fileURLToPath(new URL("../../cli/demo/workspace.yaml", import.meta.url));

/** What the demo's workspace says of collection here. */
const declared = `
collection:
  cron: "0 6 * * 1-5"
  timeZone: Europe/Berlin
  providers: [OPENAI, ANTHROPIC, GEMINI, GROK, GOOGLE_AI_OVERVIEW]
  caps: { dollarsPerDay: 80, providers: { OPENAI: { dollarsPerDay: 25, callsPerDay: 1000 } } }
`;

/** Services whose collection is looked at. */
export interface CollectionStages {
  /** With sweeps of every kind. */
  readonly collecting: CollectionStage;
  /** Without a workspace file that names anybody, and without a process that collects. */
  readonly off: CollectionStage;
  readonly close: () => Promise<void>;
}

/** Where pictures are taken, and the key that signs in there. */
interface CollectionStage {
  readonly origin: string;
  readonly key: string;
}

/** A state of collection that is worth looking at. */
interface CollectionScene extends Scene {
  readonly of: "collecting" | "off";
}

const search = "?page=setup&_tab=collection";
const drawer = { search: `${search}&_ask=now`, windowOnly: true } as const;

/** Every state of collection in Setup. */
export const collectionScenes: Readonly<Record<string, CollectionScene>> = {
  "setup-collection": { of: "collecting", search },
  "setup-collection-under-way": { of: "collecting", search, act: openSweep(0) },
  "setup-collection-failed": { of: "collecting", search, act: openSweep(2) },
  "setup-collection-cancel": {
    of: "collecting",
    search,
    windowOnly: true,
    act: (page) => page.getByRole("button", { name: /^Cancel the sweep/ }).click(),
  },
  "setup-collection-ask": { of: "collecting", ...drawer },
  "setup-collection-choice": {
    of: "collecting",
    ...drawer,
    act: (page) => page.getByRole("button", { name: /^Countries/ }).click(),
  },
  "setup-collection-plan": {
    of: "collecting",
    search: `${search}&_ask=plan`,
    windowOnly: true,
  },
  "setup-collection-plan-cost": {
    of: "collecting",
    search: `${search}&_ask=plan`,
    act: (page) =>
      page
        .getByText(/a month/)
        .last()
        .scrollIntoViewIfNeeded(),
    windowOnly: true,
  },
  "setup-collection-credential": {
    of: "off",
    search,
    act: (page) =>
      page
        .getByRole("button", { name: /^Store: / })
        .first()
        .click(),
    windowOnly: true,
  },
  "setup-collection-off": { of: "off", search },
  "setup-collection-nobody": { of: "off", ...drawer },
  "setup-collection-no-key": { of: "off", ...drawer, act: chooseProvider },
  "setup-collection-error": { of: "collecting", search, act: failing },
};

function openSweep(nth: number) {
  return (page: Page) => page.locator("main button[aria-expanded]").nth(nth).click();
}

async function chooseProvider(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Providers/ }).click();
  await page.getByLabel("ChatGPT").check();
  await page.keyboard.press("Escape");
}

async function failing(page: Page): Promise<void> {
  const json = { code: "internal", status: 500, detail: "The service failed.", requestId: "req_1" };
  await page.route("**/v1/collections", (route) => route.fulfill({ status: 500, json }));
  await page.reload();
}

/** Starts both, with sweeps that are done, given up, cancelled and under way. */
export async function startCollectionScenes(): Promise<CollectionStages> {
  const [collecting, off] = [await startCollectingService(), await startCollectingService()];
  const bare = { account: "Acme", brand: "Acme", prompts: ["Which anvil?", "Which rope?"] };
  return {
    collecting: { origin: collecting.origin, key: await withSweeps(collecting) },
    off: { origin: off.origin, key: await keyOf(off, await off.service.apply(bare)) },
    close: async () => {
      await collecting.close();
      await off.close();
    },
  };
}

const keyOf = ({ service }: CollectingService, accountId: string) =>
  service.key(accountId, ["read", "manage"]);

async function withSweeps(collecting: CollectingService): Promise<string> {
  const { service, standIn } = collecting;
  const accountId = await service.apply(readFileSync(demo, "utf8") + declared);
  const token = await service.session(accountId, ["manage"]);
  await collecting.reportHealth();
  const start = async (body: object = {}) => {
    const reply = await service.post("/v1/collections", { token, body });
    return reply.json<StartedCollection>().id ?? "";
  };
  await start();
  await collecting.finish(accountId);
  standIn.setFaults({ rates: { incomplete: 1 } });
  await start({ providers: ["GEMINI"] });
  await collecting.finish(accountId);
  standIn.setFaults({ vendors: { anthropic: { rates: { incomplete: 0.2, malformed: 0.1 } } } });
  await start();
  await collecting.finish(accountId);
  const headers = { authorization: `Bearer ${token}` };
  await service.request("DELETE", `/v1/collections/${await start()}`, { headers });
  await collecting.finish(accountId);
  standIn.setFaults({ vendors: { gemini: { outOfMoney: true } } });
  await start();
  await collecting.ask();
  await collecting.reportHealth();
  return keyOf(collecting, accountId);
}
