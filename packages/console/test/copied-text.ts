import type { Page } from "playwright-core";

/** What a list's menu puts into the clipboard, of which nothing was there before. */
export async function copiedText(page: Page, button: string, form: string): Promise<string> {
  await page.evaluate("navigator.clipboard.writeText('')");
  await page.waitForFunction("navigator.clipboard.readText().then((text) => text === '')");
  await page.getByRole("button", { name: button, exact: true }).click();
  await page.getByRole("menuitem", { name: `Copy as ${form}` }).click();
  await page.waitForFunction("navigator.clipboard.readText().then((text) => text !== '')");
  return page.evaluate<string>("navigator.clipboard.readText()");
}
