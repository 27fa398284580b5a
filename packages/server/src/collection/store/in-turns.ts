/** Gives at most so many items; fewer: it has no more. */
export type Source<Item> = (itemsMax: number) => Promise<readonly Item[]>;

/** Takes from each source its share, and what some do not use from the others. */
export function inTurns<Item>(sources: readonly Source<Item>[]): Source<Item> {
  return async (itemsMax) => {
    const taken: Item[] = [];
    let open = sources;
    while (open.length > 0 && taken.length < itemsMax) {
      const more: Source<Item>[] = [];
      for (const [index, source] of open.entries()) {
        const share = Math.ceil((itemsMax - taken.length) / (open.length - index));
        if (share === 0) break;
        const items = await source(share);
        taken.push(...items);
        if (items.length === share) more.push(source);
      }
      open = more;
    }
    return taken;
  };
}

/** Takes from the first source as long as it has any. */
export function inOrder<Item>(sources: readonly Source<Item>[]): Source<Item> {
  return async (itemsMax) => {
    const taken: Item[] = [];
    for (const source of sources) {
      if (taken.length === itemsMax) break;
      taken.push(...(await source(itemsMax - taken.length)));
    }
    return taken;
  };
}
