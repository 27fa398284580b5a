import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { startBrowser } from "@sightline/test-kit/browser.ts";
import type { Browser, Page } from "playwright-core";
import { sharedDemo } from "./demo-service.ts";
import { visitSignedIn } from "./visitor.ts";

/** What the menu of the chart saves. */
async function saved(page: Page, kind: "PNG" | "SVG"): Promise<Buffer> {
  // By keyboard, so that the pointer stays over the chart, with its crosshair.
  await page.getByRole("button", { name: "Export and copy" }).press("Enter");
  const item = page.getByRole("menuitem", { name: `Save as ${kind}` });
  const [download] = await Promise.all([page.waitForEvent("download"), item.press("Enter")]);
  const name = "tarnfell-mentions-2026-08-09_2026-10-31-chatgpt-de";
  assert.equal(download.suggestedFilename(), `${name}.${kind.toLowerCase()}`);
  return readFileSync(await download.path());
}

/** A picture as a browser shows it alone: its size, and how many of its pixels have each colour. */
interface Shown {
  readonly width: number;
  readonly height: number;
  readonly colors: Readonly<Record<string, number>>;
}

async function shown(browser: Browser, picture: Buffer, type: string): Promise<Shown> {
  const page = await browser.newPage();
  const address = `data:${type};base64,${picture.toString("base64")}`;
  const result = await page.evaluate<Shown>(`(async () => {
    const image = new Image();
    image.src = ${JSON.stringify(address)};
    await image.decode();
    const { width, height } = image;
    const pen = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
    pen.drawImage(image, 0, 0);
    const { data } = pen.getImageData(0, 0, width, height);
    const colors = {};
    for (let at = 0; at < data.length; at += 4) {
      const color = "rgb(" + [...data.subarray(at, at + 3)].join(", ") + ")";
      if (data[at + 3] === 255) colors[color] = (colors[color] ?? 0) + 1;
    }
    return { width, height, colors };
  })()`);
  await page.close();
  return result;
}

/** What the page draws: its texts, lines and colours. */
function drawn(page: Page) {
  return page.evaluate<{
    texts: string[];
    lines: string[];
    brand: string;
    ground: string;
  }>(`(() => {
    const chart = document.querySelector("svg[data-chart]");
    const lines = [...chart.querySelectorAll("path[data-line]")];
    return {
      texts: [...chart.querySelectorAll("text")].map((each) => each.textContent),
      lines: lines.map((each) => each.getAttribute("d")),
      brand: getComputedStyle(lines.at(-1)).stroke,
      ground: getComputedStyle(chart.closest("section")).backgroundColor,
    };
  })()`);
}

const occurrences = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, found = ""]) => found);

test("the chart alone is saved as SVG and PNG, as it is drawn, in both themes", async (t) => {
  const browser = await startBrowser(t, undefined, "the console's pictures");
  if (browser === null) return;
  const demo = await sharedDemo();
  const { page, go } = await visitSignedIn(browser, demo);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await go("?providers=OPENAI&regions=DE");
    await page.locator("svg[data-chart]").hover();
    await page.locator("[data-crosshair]").waitFor();
    const { texts, lines, brand, ground } = await drawn(page);
    assert.equal(lines.length, 7);

    const svg = await saved(page, "SVG");
    const text = svg.toString("utf8");
    assert.doesNotMatch(text, /var\(|<script|href|data-crosshair/);
    const said = occurrences(text.replaceAll("&amp;", "&"), /<text[^>]*>([^<]*)</g);
    assert.deepEqual(said.slice(6), texts);
    assert.match(
      said.slice(0, 6).join("\n"),
      new RegExp(
        "^Mentions · Tarnfell · 9 Aug – 31 Oct 2026 \\(UTC\\)\n" +
          "ChatGPT · Germany · n = [\\d,]+ answers\n" +
          "Answers that name it, of all answers\\.\n" +
          "Tarnfell with its 95 % interval\n" +
          "Tarnfell, 17 May – 8 Aug 2026 \\(UTC\\)\n" +
          "part of a week$",
      ),
    );
    assert.deepEqual(occurrences(text, /<path d="([^"]*)" data-line/g), lines);
    assert.equal(occurrences(text, /(data-previous)/g).length, 1);
    const alone = await shown(browser, svg, "image/svg+xml");
    assertShows(alone, { brand, ground });

    const png = await shown(browser, await saved(page, "PNG"), "image/png");
    assert.deepEqual([png.width, png.height], [2 * alone.width, 2 * alone.height]);
    assertShows(png, { brand, ground });
  }
});

/** The ground fills most of it, and the brand's line is there. */
function assertShows({ width, height, colors }: Shown, { brand, ground }: Record<string, string>) {
  const share = (color = "") => (colors[color] ?? 0) / (width * height);
  assert.ok(share(ground) > 0.5, `${share(ground)} is ground`);
  assert.ok(share(brand) > 0.001, `${share(brand)} is the brand's`);
}
