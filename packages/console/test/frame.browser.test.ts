import assert from "node:assert/strict";
import { test } from "node:test";
import { startBrowser } from "@sightline/test-kit/browser.ts";
import { until } from "@sightline/test-kit/until.ts";
import type { Page } from "playwright-core";
import { sharedDemo } from "./demo-service.ts";
import { violationsOf, visitSignedIn } from "./visitor.ts";

const others = ["/docs/guide/README", "/docs/errors/not_found", "/docs", "/no-such-page"];

/** How the bar of a page is drawn, its current link, and the ring of the one that has the focus. */
const bar = `(() => {
  const looks = (each, names) => {
    const style = getComputedStyle(each);
    return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(name)]));
  };
  const place = (each) => {
    const { left, top, width, height } = each.getBoundingClientRect();
    return { left, top, width, height };
  };
  const [header] = document.querySelectorAll("header");
  const text = ["font", "color", "background-color", "letter-spacing"];
  const logo = header.querySelector(".frame-logo");
  const button = header.querySelector("theme-switch button");
  const link = header.querySelector("nav a:not([aria-current])");
  link.focus({ focusVisible: true });
  return {
    height: header.getBoundingClientRect().height,
    told: getComputedStyle(document.documentElement).getPropertyValue("--bar"),
    looks: looks(header, [...text, "border-bottom", "position"]),
    logo: [logo, logo.querySelector("span")].flatMap((each) => [place(each), looks(each, text)]),
    mark: [...logo.querySelectorAll("svg, svg *")].map((each) =>
      looks(each, ["d", "r", "stroke-width"])),
    link: looks(link, [...text, "padding", "height", "box-shadow", "outline"]),
    button: [looks(button, text), place(button).width, place(button).height, button.outerHTML],
    current: [...header.querySelectorAll("nav [aria-current]")].map((each) =>
      looks(each, [...text, "box-shadow", "height"])),
  };
})()`;

interface Bar {
  readonly height: number;
  readonly told: string;
  readonly logo: readonly object[];
  readonly current: readonly object[];
}

const barOf = (page: Page) => page.evaluate<Bar>(bar);

test("console, guides, API page and error page have one bar", async (t) => {
  const browser = await startBrowser(t, undefined, "the frame of all pages");
  if (browser === null) return;
  const demo = await sharedDemo();
  const visitor = await visitSignedIn(browser, demo);
  const { page } = visitor;
  // A page that was loaded without anything in the browser's cache has the font already.
  const { logo } = await barOf(page);
  await visitor.go("");
  assert.deepEqual((await barOf(page)).logo, logo);
  for (const [width, colorScheme] of [
    [1_280, "light"],
    [390, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height: 850 });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await visitor.go("");
    await page.evaluate("document.fonts.ready");
    const console = await barOf(page);
    assert.equal(console.told, `${console.height}px`);
    assert.equal(console.current.length, 1);
    for (const path of others) {
      await page.goto(`${demo.origin}${path}`);
      await page.evaluate("document.fonts.ready");
      const { current, ...rest } = await barOf(page);
      const { current: expected, ...same } = console;
      const name = `${path} at ${width} px, ${colorScheme}`;
      assert.deepEqual(rest, same, name);
      assert.deepEqual(current, path === "/no-such-page" ? [] : [...expected], name);
    }
  }
});

test("a theme chosen on one page holds on all, in open tabs too", async (t) => {
  const browser = await startBrowser(t, undefined, "the theme of all pages");
  if (browser === null) return;
  const demo = await sharedDemo();
  const { page, go, faults } = await visitSignedIn(browser, demo);
  const other = await page.context().newPage();
  const ground = (of: Page) =>
    of.evaluate<string>("getComputedStyle(document.querySelector('header')).backgroundColor");
  const [light, dark] = ["rgb(255, 255, 255)", "rgb(25, 33, 42)"];
  const button = (of: Page, name: string) => of.getByRole("button", { name: `Theme: ${name}` });

  await other.goto(`${demo.origin}/docs/guide/README`);
  await button(page, "as the system").click();
  await button(page, "light").click();
  await button(page, "dark").waitFor();
  assert.equal(await ground(page), dark);
  await button(other, "dark").waitFor();
  assert.equal(await ground(other), dark);

  for (const path of others) {
    await other.goto(`${demo.origin}${path}`);
    // The API page's own scripts draw for a moment before they know the theme.
    if (path === "/docs") await until(path, async () => (await ground(other)) === dark || null);
    assert.equal(await ground(other), dark, path);
  }
  await button(other, "dark").click();
  await button(other, "as the system").click();
  assert.equal(await ground(other), light);
  await button(page, "light").waitFor();
  assert.equal(await ground(page), light);
  await go("?page=sources");
  assert.equal(await ground(page), light);
  assert.deepEqual(faults, []);
});

test("the pages beside the console are within reach of everybody", async (t) => {
  const browser = await startBrowser(t, undefined, "the pages beside the console");
  if (browser === null) return;
  const demo = await sharedDemo();
  const page = await browser.newPage();
  for (const path of ["/docs/guide/README", "/docs/metrics/rank", "/no-such-page"]) {
    await page.goto(`${demo.origin}${path}`);
    assert.deepEqual(await violationsOf(page), [], path);
  }
});
