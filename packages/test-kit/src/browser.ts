import { existsSync } from "node:fs";
import type { TestContext } from "node:test";
import { type Browser, chromium, type Page } from "playwright-core";
import { atProcessEnd } from "./process-end.ts";

/** Debian's, from the packages chromium-headless-shell and chromium: the first draws no window. */
const programs = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"] as const;

/** The one that is there. */
export const chromiumPath: string = programs.find((file) => existsSync(file)) ?? programs[0];

let launched: Promise<Browser> | null = null;

/**
 * Chromium, one for all tests of this process; what the test opens in it is closed at its end. Null
 * where it, or a file that the test needs, is missing: the run's last lines then say that `what`
 * was NOT TESTED.
 * @throws in CI, where nothing may be missing.
 */
export async function startBrowser(
  t: TestContext,
  needed: string = chromiumPath,
  what = "the API page",
): Promise<Browser | null> {
  const missing = [...new Set([chromiumPath, needed])].filter((file) => !existsSync(file));
  if (missing.length > 0) {
    const say = `NOT TESTED: ${what} in a browser, since ${missing.join(" and ")} is missing`;
    if (process.env["CI"] === "true") throw new Error(say);
    t.diagnostic(say);
    return null;
  }
  launched ??= launch();
  const browser = await launched;
  t.after(() => Promise.all(browser.contexts().map((context) => context.close())));
  return browser;
}

/**
 * A name that leads to this machine. Browsers take http at 127.0.0.1 for secure, and give pages
 * over http at any other name less: no clipboard, no `crypto.randomUUID`.
 */
export const insecureHost = "console.example";
/** What Chromium says of each page there. */
const ofHttp = "The Cross-Origin-Opener-Policy header has been ignored, because the URL's origin";

async function launch(): Promise<Browser> {
  const args = [`--host-resolver-rules=MAP ${insecureHost} 127.0.0.1`];
  // Chromium refuses to build its sandbox as root; the pages are our own.
  if (process.getuid?.() === 0) args.push("--no-sandbox");
  const browser = await chromium.launch({ executablePath: chromiumPath, args });
  atProcessEnd(() => browser.close());
  return browser;
}

/** What happened on a page that its reader should know of. */
export interface PageWatch {
  readonly page: Page;
  /** Addresses asked for, save those of the service. */
  readonly foreign: string[];
  /** Errors and warnings on the console, failures of scripts, breaches of the policy. */
  readonly faults: string[];
}

/** How a page is opened. */
export interface WatchOptions {
  /** The service's; requests elsewhere are foreign. */
  readonly origin: string;
  readonly width: number;
  /** The reader's language and number format. */
  readonly locale?: string;
  /** Its reader has fingers, and no mouse. */
  readonly hasTouch?: boolean;
}

/** A page of the given width, in a context of its own, watched from before its first request. */
export async function watchedPage(
  browser: Browser,
  { origin, width, locale = "en-US", hasTouch = false }: WatchOptions,
): Promise<PageWatch> {
  const context = await browser.newContext({ viewport: { width, height: 850 }, locale, hasTouch });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000); // what shares the cores may take them
  const [foreign, faults]: [string[], string[]] = [[], []];
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== origin) foreign.push(request.url());
  });
  page.on("console", (message) => {
    const text = message.text();
    if (["error", "warning"].includes(message.type()) && !text.startsWith(ofHttp))
      faults.push(text);
  });
  page.on("pageerror", (error) => faults.push(error.message));
  await page.exposeFunction("onBreach", (breach: string) => faults.push(breach));
  await page.addInitScript(`addEventListener("securitypolicyviolation", (event) =>
    onBreach(event.violatedDirective + " " + event.blockedURI))`);
  return { page, foreign, faults };
}
