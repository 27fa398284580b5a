import { invited } from "@sightline/test-kit/person-page.ts";
import type { Page } from "playwright-core";
import type { DemoService } from "./demo-service.ts";
import { settled } from "./visitor.ts";

/** Takes what a page shows; `windowOnly`: what is seen without scrolling. */
type Take = (name: string, windowOnly?: boolean) => Promise<void>;

/** The names of the pictures of people. */
export const peopleScenes = [
  ...["people-invitation", "people-menu", "people-accounts", "people-list", "people-invite"],
  ...["people-address", "people-role", "people-removal", "people-viewer", "people-known"],
] as const;

/** So many that the menu has a search. */
const others = ["Boreal", "Cascade", "Dune", "Everpeak", "Fjordline", "Granite", "Highland"];

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** An owner of the demo's account, who is a viewer of others, on a page of nobody. */
export async function takePeople(
  page: Page,
  { service, accountId, origin }: DemoService,
  take: Take,
): Promise<void> {
  // A person of each width: invitations are accepted once.
  const email = `ann.${page.viewportSize()?.width}@example.com`;
  const invitationTo = async (account: string, role: "owner" | "viewer") =>
    `${origin}${(await invited(service, account, { email, role })).address}`;
  await page.goto(await invitationTo(accountId, "owner"));
  await page.getByLabel("Your name").fill("Ann");
  await take("people-invitation", true);
  await button(page, "Accept").click();
  await settled(page);
  const ids: string[] = [];
  for (const name of [...others, "Isar", "Juniper"]) {
    ids.push(await service.apply({ account: `${name} Ltd`, brand: name }));
    await page.goto(await invitationTo(ids.at(-1) ?? "", "viewer"));
    await button(page, "Accept").click();
    await settled(page);
  }
  await page.goto(`${origin}/?account=${accountId}&page=accounts`);
  await page.getByRole("table").waitFor();
  await take("people-accounts");
  await page.getByRole("button", { name: "Tarnfell", exact: true }).click();
  await page.getByText(email).waitFor();
  await take("people-menu", true);
  await page.goto(`${origin}/?account=${accountId}&page=setup&_tab=people`);
  await takeSetup(page, take);
  await page.goto(`${origin}/?account=${ids[0]}&page=setup`);
  await page.getByText("you are a viewer", { exact: false }).waitFor();
  await take("people-viewer", true);
  const link = await invitationTo(ids[1] ?? "", "viewer");
  await page.context().clearCookies();
  await page.goto(link);
  await page.getByText("Somebody is known here", { exact: false }).waitFor();
  await take("people-known", true);
}

async function takeSetup(page: Page, take: Take): Promise<void> {
  await page.getByRole("table").first().waitFor();
  await take("people-list");
  await button(page, "Invite").click();
  await page.getByLabel("E-mail").fill("bea.of.a.long.address@subsidiary.example.com");
  await take("people-invite", true);
  await page.keyboard.press("Enter");
  await page.locator("[data-secret]").waitFor();
  await take("people-address", true);
  await button(page, "I have kept it").click();
  await page.getByLabel("Role of Ann").first().selectOption("viewer");
  await take("people-role", true);
  await button(page, "Cancel").click();
  await button(page, "Remove Ann").first().click();
  await take("people-removal", true);
  await button(page, "Cancel").click();
}
