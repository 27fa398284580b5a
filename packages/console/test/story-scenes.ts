import { firstRunCode } from "@sightline/server/first-run-link";
import type { Page } from "playwright-core";
import { type DemoService, startConsole } from "./demo-service.ts";
import { settled } from "./visitor.ts";

/** Takes what a page shows at a step of a story; `windowOnly`: what is seen without scrolling. */
type Take = (name: string, windowOnly?: boolean) => Promise<void>;

const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: true });

const sheet = [
  "Topic\tQuestion",
  "Tents\t1. What is the best tent for two?",
  "Stoves\t2. Which stove, if any, is quiet?",
  "Tents\t3. Is Acme or Globex lighter?",
].join("\n");

/** The names of the pictures of the first run, which begins on an empty service. */
export const firstRunScenes = [
  ...["first-run-empty", "first-run-brand", "first-run-named", "first-run-prompts"],
  ...["first-run-pasted", "first-run-key", "first-run-start", "first-run-no-answers"],
  ...["first-run-samples", "first-run-views", "first-run-notes", "first-run-marks"],
  ...["first-run-imports", "first-run-used-link"],
] as const;

/** From an empty service to sample answers, a saved view and a note, on a page of nobody. */
export async function takeFirstRun(
  visitTo: (origin: string) => Promise<Page>,
  takeOf: (page: Page) => Take,
): Promise<void> {
  const { service } = await startConsole();
  try {
    const origin = await service.listen();
    const link = firstRunCode(service.services.keyRing, service.clock.now());
    const page = await visitTo(origin);
    const take = takeOf(page);
    await page.goto(origin);
    await page.getByRole("heading", { name: "This service has no account yet" }).waitFor();
    await take("first-run-empty", true);
    await page.goto(`${origin}/#first-run=${link}`);
    await takeCreation(page, take);
    await takeSamples(page, take);
    await takeKept(page, take);
    await page.goto("about:blank");
    await page.goto(`${origin}/#first-run=${link}`);
    await page.getByRole("heading", { name: "This link no longer works" }).waitFor();
    await take("first-run-used-link", true);
    await page.context().close();
  } finally {
    await service.close();
  }
}

async function takeCreation(page: Page, take: Take): Promise<void> {
  await page.getByLabel("Brand", { exact: true }).waitFor();
  await take("first-run-brand");
  await page.getByLabel("Brand", { exact: true }).fill("Acme GmbH");
  await page.getByLabel("Domains").fill("https://www.acme.example/products?from=mail");
  await page.keyboard.press("Enter");
  await page.getByLabel("Competitors").fill("Globex, initech.example");
  await page.getByText("Globex, Initech · initech.example").waitFor();
  await take("first-run-named");
  await button(page, "Next").click();
  await page.getByLabel("Prompts, one per line").waitFor();
  await take("first-run-prompts");
  await page.getByLabel("Prompts, one per line").fill(sheet);
  await page.getByText("3 prompts in 2 topics.", { exact: false }).waitFor();
  await take("first-run-pasted");
  await button(page, "Create with 3 prompts").click();
  await page.locator("[data-secret]").waitFor();
  await take("first-run-key");
  await button(page, "I have kept it").click();
  await settled(page);
  await take("first-run-start");
}

async function takeSamples(page: Page, take: Take): Promise<void> {
  const pages = page.getByRole("navigation", { name: "Pages" });
  await pages.getByRole("link", { name: "Overview" }).click();
  await settled(page);
  await take("first-run-no-answers");
  await pages.getByRole("link", { name: "Setup" }).click();
  await button(page, "Try sample answers").click();
  await button(page, "See the overview").click();
  await page.getByRole("complementary", { name: "Sample answers" }).waitFor();
  await page.locator("[data-metric]").first().waitFor();
  await settled(page);
  await take("first-run-samples");
}

async function takeKept(page: Page, take: Take): Promise<void> {
  await page.getByRole("button", { name: /^Views/ }).click();
  await page.getByLabel("Name of this view").fill("All providers");
  await page.keyboard.press("Enter");
  await button(page, "All providers").waitFor();
  await take("first-run-views", true);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Notes/ }).click();
  await page.getByLabel("Day (UTC)").fill("2026-10-20");
  await page.getByLabel("Note", { exact: true }).fill("Launched the shop");
  await page.keyboard.press("Enter");
  await button(page, "Delete Launched the shop").waitFor();
  await take("first-run-notes", true);
  await page.keyboard.press("Escape");
  await page.locator("svg[data-chart]").scrollIntoViewIfNeeded();
  await take("first-run-marks", true);
  await page.goto(`${new URL(page.url()).origin}/?page=setup&_tab=imports`);
  await settled(page);
  await take("first-run-imports");
}

/** The names of the pictures of the wizard for spreadsheets. */
export const wizardScenes = [
  ...["wizard-columns", "wizard-questions", "wizard-unanswered", "wizard-check"],
  ...["wizard-closing", "wizard-done", "wizard-refused"],
] as const;

const german = (prompt: string) =>
  Buffer.from(
    "Woche 44\r\n" +
      "Frage;Anbieter;Datum;Antwort;Quellen\r\n" +
      `${prompt};ChatGPT;02.11.2026 09:30;"Für Größe: Tarnfell;\nsonst keine.";` +
      "https://globex.example/ https://acme.example/\r\n" +
      `${prompt};Google AI Mode;02.11.2026 09:30;Tarnfell.;\r\n` +
      `${prompt};Googel;02.11.2026 09:30;Tarnfell.;\r\n` +
      `${prompt};Claude;bald;Tarnfell.;\r\n` +
      "Welche Kiste?;Claude;02.11.2026 10:30;Tarnfell.;\r\n",
    "latin1",
  );

/** A German Excel's file, from its columns to its import with what is rejected, by a session. */
export async function takeWizard(page: Page, demo: DemoService, take: Take): Promise<void> {
  const token = await demo.service.session(demo.accountId);
  const headers = { authorization: `Bearer ${token}` };
  const { body } = await demo.service.request("GET", "/v1/workspace", { headers });
  const [prompt] = (JSON.parse(body) as { prompts: readonly { text: string }[] }).prompts;
  const drop = async (name: string, content: Buffer) => {
    await page.goto(`${demo.origin}/?page=setup&_tab=imports`);
    await settled(page);
    const file = { name, mimeType: "application/octet-stream", buffer: content };
    await page.getByLabel("Files of answers").setInputFiles(file);
    await page.getByRole("dialog").waitFor();
  };
  const dialog = page.getByRole("dialog");
  await drop("Woche 44.csv", german(prompt?.text ?? ""));
  await dialog.getByLabel("What Antwort is").waitFor();
  await take("wizard-columns", true);
  await button(page, "Next").click();
  await dialog.getByLabel(/time zone/).waitFor();
  await take("wizard-questions", true);
  await button(page, "Next").click();
  await dialog.getByText("Say where these are").waitFor();
  await take("wizard-unanswered", true);
  await dialog.getByLabel(/time zone/).selectOption("Europe/Berlin");
  await dialog.getByLabel(/Googel/).selectOption("none");
  await button(page, "Next").click();
  await dialog.getByText(/rows cannot\.$/).waitFor();
  await take("wizard-check", true);
  await page.keyboard.press("Escape");
  await button(page, "Keep it open").waitFor();
  await take("wizard-closing", true);
  await button(page, "Keep it open").click();
  await button(page, /^Import \d answers$/).click();
  await page
    .getByRole("region", { name: /^Import of/ })
    .getByText("Accepted")
    .waitFor();
  await take("wizard-done");
  await drop("old.xls", Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0, 0]));
  await page.getByText("This is a workbook of Excel 97 (.xls)").waitFor();
  await take("wizard-refused", true);
}
