import type { Page } from "playwright-core";

/**
 * What a reader cannot see of the tables of a page: cells that are cut off, a table that scrolls
 * sideways although it may drop columns, something that scrolls under no shadow, and a column that
 * rows are sorted by and that is dropped.
 */
export function cutOff(page: Page): Promise<readonly string[]> {
  return page.evaluate(`(() => {
    const found = [];
    const text = (each) => each.innerText.trim().slice(0, 40) || each.outerHTML.slice(0, 80);
    const scope = document.querySelector("dialog[open]") ?? document.querySelector("main");
    for (const table of scope.querySelectorAll("table")) {
      if (!table.checkVisibility()) continue;
      const frame = table.parentElement;
      const name = table.caption?.innerText ?? "a table";
      if (frame.scrollWidth > frame.clientWidth + 1) {
        const around = frame.parentElement;
        const isShaded = ["::before", "::after"].some(
          (side) => getComputedStyle(around, side).content !== "none");
        if (!isShaded) found.push("no shadow: " + name);
        if ("dropped" in frame.dataset) found.push("scrolls sideways: " + name);
      }
      for (const cell of table.querySelectorAll("th, td")) {
        if (cell.closest("table") !== table) continue;
        const isDropped = !cell.checkVisibility();
        if (isDropped && cell.ariaSort) found.push("dropped, and sorted by: " + name);
        if (!isDropped && cell.scrollWidth > cell.clientWidth + 1) {
          found.push("cut off in " + name + ": " + text(cell));
        }
      }
    }
    for (const name of scope.querySelectorAll("[data-entity] button > span:first-child")) {
      if (name.scrollWidth > name.clientWidth + 1) found.push("cut off: " + text(name));
    }
    return found;
  })()`);
}
