import type { Page } from "playwright-core";

/**
 * The words of a page that stand on two lines, such as "exampl e". Letters and digits make a word:
 * a line may end after a dot, a slash or a hyphen.
 */
export function brokenWords(page: Page): Promise<readonly string[]> {
  return page.evaluate(`(() => {
    const broken = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      if (!node.parentElement.checkVisibility()) continue;
      for (const { 0: word, index } of node.data.matchAll(/[\\p{L}\\p{N}]{2,}/gu)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) broken.push(word + " in " + node.data.slice(0, 80));
      }
    }
    return broken;
  })()`);
}
