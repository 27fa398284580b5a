import { setTimeout } from "node:timers/promises";

/** Between two looks at a record that may get answers any moment. */
const betweenLooksMs = 20;

/**
 * Reads what comes next while work goes on: looks again and again until there is something, and
 * once more when the work is over, also when it failed. Null: there is nothing then.
 */
export async function readMeanwhile<Next>(
  read: () => Promise<Next | null>,
  work: Promise<unknown>,
): Promise<Next | null> {
  let isOver = false;
  const over = Promise.allSettled([work]).then(() => {
    isOver = true;
  });
  for (;;) {
    const isLast = isOver;
    const next = await read();
    if (next !== null || isLast) return next;
    await Promise.race([over, setTimeout(betweenLooksMs)]);
  }
}
