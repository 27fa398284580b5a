import type { Page } from "playwright-core";

/** A click or some keys, by name. */
type Step = readonly [name: string, act: (page: Page) => Promise<unknown>];

/** What is done on a page, one after the other. */
interface Visit {
  readonly page: string;
  readonly steps: readonly Step[];
}

const press = (key: string) => (page: Page) => page.keyboard.press(key);
const type = (text: string) => (page: Page) => page.keyboard.type(text);
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).first();
const click = (name: string | RegExp) => (page: Page) => button(page, name).click();
const tab = (name: string) => (page: Page) => page.getByRole("tab", { name }).click();
const link = (name: string) => (page: Page) =>
  page.getByRole("link", { name, exact: true }).click();
const sort = (name: string) => (page: Page) =>
  page.getByRole("columnheader", { name }).getByRole("button").click();
const tile = (metric: string, at: 0 | 1) => (page: Page) =>
  page.locator(`li[data-metric="${metric}"]`).getByRole("button").nth(at).click();
const entity = (at: number) => (page: Page) =>
  page.locator("li[data-entity]").nth(at).getByRole("button").first().click();
const row = (page: Page) => page.locator("main tbody button[aria-expanded]").first().click();

/** What is loaded when it is first opened takes no keys before. */
const opened = (key: string) => async (page: Page) => {
  await page.keyboard.press(key);
  await page.getByRole("combobox").waitFor();
};

/** Clicks and keys on every page; each begins where the one before ended. */
export const interactions: readonly Visit[] = [
  {
    page: "?page=overview",
    steps: [
      ["open the list of providers", click(/^Provider/)],
      ["choose a provider", (page) => page.getByRole("checkbox", { name: "ChatGPT" }).click()],
      ["close the list", press("Escape")],
      ["clear the filters", click("Clear filters")],
      ["open the list of prompts", click(/^Prompt/)],
      ["search the list of prompts", type("what 1")],
      ["close the list of prompts", press("Escape")],
      ["another period", (page) => button(page, /^Last/).click()],
      ["close the periods", press("Escape")],
      ["toggle a tile", tile("citations", 0)],
      ["toggle back", tile("mentions", 0)],
      ["isolate one in the leaderboard", entity(1)],
      ["show everyone again", entity(1)],
      ["chart to days", (page) => page.getByRole("radio", { name: "Days" }).click()],
      ["chart to weeks", (page) => page.getByRole("radio", { name: "Weeks" }).click()],
      ["focus the chart", (page) => page.getByRole("slider").press("Home")],
      ["along the chart", press("ArrowRight")],
      ["open evidence", tile("mentions", 1)],
      ["next answer", press("j")],
      ["next answer again", press("j")],
      ["answer before", press("k")],
      ["open an answer", press("Enter")],
      ["next open answer", press("j")],
      ["close evidence", press("Escape")],
      ["switch the theme", click(/^Theme/)],
      ["switch the theme again", click(/^Theme/)],
      ["switch the theme back", click(/^Theme/)],
      ["open the palette", opened("Control+k")],
      ["type into the palette", type("rank")],
      ["close the palette", press("Escape")],
      ["go to Sources", link("Sources")],
    ],
  },
  {
    page: "?page=sources",
    steps: [
      ["open a domain", row],
      ["shut a domain", row],
      ["sort sources", sort("Answers")],
      ["search sources", (page) => page.getByRole("searchbox").first().pressSequentially("tr")],
      ["tab Pages", tab("Pages")],
      ["tab Gaps", tab("Gaps")],
      ["go to Prompts", link("Prompts")],
    ],
  },
  {
    page: "?page=prompts",
    steps: [
      ["sort prompts", sort("Answers")],
      ["open a prompt", row],
      ["shut a prompt", row],
      ["values of another", click(/^Values of/)],
      ["close the list of entities", press("Escape")],
      ["search prompts", (page) => page.getByRole("searchbox").first().pressSequentially("wh")],
      ["go to Setup", link("Setup")],
    ],
  },
  {
    page: "?page=setup&_tab=prompts",
    steps: [
      ["edit a prompt", (page) => page.locator("main tbody button").first().click()],
      ["type into its form", type("x")],
      ["leave the form", press("Escape")],
      ["section Brand", link("Brand and competitors")],
      ["section Prompts", link("Topics and prompts")],
      ["go to Overview", link("Overview")],
    ],
  },
];
