import { once } from "node:events";
import type { Output } from "../command-io.ts";

/**
 * Writes pages as they come, and asks for none before the output takes more: of somebody who reads
 * the first lines in a pager, the others would fill the memory and cost calls.
 */
export async function writeAsTheyCome<Page>(
  output: Output,
  pages: AsyncIterable<Page>,
  textOf: (page: Page) => string,
): Promise<void> {
  for await (const page of pages) {
    if (!output.write(textOf(page))) await once(output, "drain");
  }
}
