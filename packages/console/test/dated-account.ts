import type { TestContext } from "node:test";
import { workspaceOf } from "@sightline/server/account-store";
import { startBrowser } from "@sightline/test-kit/browser.ts";
import type { Page, Request } from "playwright-core";
import { startConsole } from "./demo-service.ts";
import { settled, signIn, visit } from "./visitor.ts";

/** What every case gets: a page that is signed in, of an account of its own. */
export interface Stage {
  readonly page: Page;
  readonly origin: string;
  readonly go: (search: string) => Promise<void>;
  /** The prompt with Gemini's answer, the only one. */
  readonly second: string;
  /** Of the other prompt. */
  readonly topic: string;
  readonly keys: { readonly read: string; readonly all: string };
}

/** More than a list asks for in a call; one more is in the period before. */
export const answersCount = 30;
/** More than a call gives. */
const [domainsCount, pagesCount] = [140, 130];

/** Answers to the first prompt that cite many sources, and one to the second that cites few. */
function answersTo(first: string | undefined, second: string | undefined): readonly object[] {
  const urls = (count: number, urlAt: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => ({ url: urlAt(index) }));
  const common = [{ url: "https://common.example/a" }];
  const many = [
    ...common,
    ...urls(domainsCount, (index) => `https://site${index}.example/`),
    ...urls(pagesCount, (index) => `https://many.example/page${index}`),
  ];
  const of = (promptId: string | undefined, provider: string, minute: number) => {
    const answeredAt = `2026-11-02T08:${String(minute).padStart(2, "0")}:00Z`;
    return { promptId, provider, answeredAt, text: `Acme, said in minute ${minute}.` };
  };
  return [
    ...Array.from({ length: answersCount }, (_, index) => ({
      ...of(first, "OPENAI", index),
      citations: index === 0 ? many : common,
    })),
    { ...of(second, "GEMINI", 50), citations: [{ url: "https://few.example/" }] },
    { ...of(first, "OPENAI", 51), answeredAt: "2026-10-02T08:00:00Z", citations: common },
  ];
}

/** A service with a small account, and a page that is signed in; null: there is no browser. */
export async function stageOf(t: TestContext): Promise<Stage | null> {
  const browser = await startBrowser(t, undefined, "what is outdated");
  if (browser === null) return null;
  const { service } = await startConsole();
  t.after(() => service.close());
  const accountId = await service.apply({
    account: { name: "Dated" },
    brand: { name: "Acme" },
    competitors: [{ name: "Globex" }],
    topics: [{ name: "Anvils" }],
    prompts: [{ text: "Which anvil?", topic: "Anvils" }, { text: "Which rocket?" }],
  });
  const workspace = await workspaceOf(service.services.control, accountId);
  const idOf = (text: string) => workspace?.prompts.find((each) => each.text === text)?.id ?? "";
  const second = idOf("Which rocket?");
  await service.import(accountId, answersTo(idOf("Which anvil?"), second));
  const origin = await service.listen();
  const keys = {
    read: await service.key(accountId, ["read"]),
    all: await service.key(accountId, ["read", "import", "manage"]),
  };
  const { page } = await visit(browser, { origin });
  await page.goto(origin);
  await signIn(page, keys.read);
  const go = async (search: string): Promise<void> => {
    await page.goto(`${origin}/?account=${accountId}&${search}`);
    await settled(page);
  };
  return { page, origin, go, second, topic: workspace?.topics[0]?.id ?? "", keys };
}

/** Holds requests back that `isMeant`, until they are let go; all of them are counted. */
export async function held(page: Page, address: string, isMeant: (request: Request) => boolean) {
  const { promise, resolve } = Promise.withResolvers<void>();
  let count = 0;
  await page.route(address, async (route) => {
    if (isMeant(route.request())) {
      count += 1;
      await promise;
    }
    await route.continue().catch(() => undefined);
  });
  const letGo = async (): Promise<void> => {
    resolve();
    await page.unroute(address);
  };
  return { letGo, count: () => count };
}

/** Refuses requests that `isMeant` until that is ended. */
export async function refused(page: Page, address: string, isMeant: (request: Request) => boolean) {
  await page.route(address, async (route) => {
    if (!isMeant(route.request())) await route.continue();
    else await route.fulfill({ status: 403, json: { detail: "Not now." } });
  });
  return () => page.unroute(address);
}
