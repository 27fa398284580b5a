import { until } from "@sightline/test-kit/until.ts";
import type { Page } from "playwright-core";

/** What a list's menu puts into the clipboard, of which nothing was there before. */
export async function copiedText(page: Page, button: string, form: string): Promise<string> {
  await page.evaluate("navigator.clipboard.writeText('')");
  await page.getByRole("button", { name: button, exact: true }).click();
  await page.getByRole("menuitem", { name: `Copy as ${form}` }).click();
  return until("a text is copied", async () => {
    return (await page.evaluate<string>("navigator.clipboard.readText()")) || null;
  });
}
