/** Lets the event loop turn once. */
export function oneTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** How often the event loop turned before some work was done: how often others could go on. */
export async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  work.then(end, end);
  let turns = 0;
  for (; !isDone; turns++) await oneTurn();
  return turns;
}
