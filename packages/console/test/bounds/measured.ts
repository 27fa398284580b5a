import type { Page } from "playwright-core";
import { settled } from "../visitor.ts";

/** Keeps what Event Timing says of each event from the first on: its time to the next paint. */
export const watchEvents = `window.timedEvents = [];
new PerformanceObserver((list) => timedEvents.push(...list.getEntries()))
  .observe({ type: "event", durationThreshold: 16, buffered: true });`;

/** Sums how far a page's content moved without its reader's doing. */
export const watchShifts = `window.shifted = 0;
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) shifted += hadRecentInput ? 0 : value;
}).observe({ type: "layout-shift", buffered: true });`;

/** Waits until what was done is painted, and its events are reported. */
async function painted(page: Page): Promise<void> {
  for (let frame = 0; frame < 4; frame += 1) {
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(resolve))");
  }
}

/** The slowest click or key of an act. */
export interface Interaction {
  /** Until the next paint, in ms, by steps of 8; 0: less than 16. */
  readonly tookMs: number;
  /** What the console's own handlers took of it. */
  readonly handledMs: number;
}

/** Does something, and waits until the page has its data again. */
export async function measured(page: Page, act: () => Promise<unknown>): Promise<Interaction> {
  await page.evaluate("timedEvents.length = 0");
  await act();
  await settled(page);
  await painted(page);
  return page.evaluate<Interaction>(`timedEvents
    .filter(({ interactionId }) => interactionId > 0)
    .map(({ duration, processingStart, processingEnd }) =>
      ({ tookMs: duration, handledMs: processingEnd - processingStart }))
    .reduce((a, b) => a.tookMs > b.tookMs ? a : b, { tookMs: 0, handledMs: 0 })`);
}

/** How a page came. */
export interface Loading {
  /** From its address to its first panel with data, in ms. */
  readonly firstMs: number;
  /** To the last. */
  readonly allMs: number;
  /** How far its content moved meanwhile, as Web Vitals count it. */
  readonly shift: number;
}

/** Loads a page from its address. */
export async function loadingOf(page: Page, search: string): Promise<Loading> {
  const startedMs = performance.now();
  await page.goto(new URL(search, page.url()).href);
  await page.locator("main section:not([aria-busy=true])").first().waitFor();
  const firstMs = performance.now() - startedMs;
  await settled(page);
  const allMs = performance.now() - startedMs;
  await painted(page);
  return { firstMs, allMs, shift: await page.evaluate<number>("shifted") };
}
