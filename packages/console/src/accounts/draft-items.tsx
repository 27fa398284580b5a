import { Button } from "../parts/button.tsx";
import { Tag } from "../parts/tag.tsx";
import type { ItemState } from "./draft-changes.ts";
import css from "./tracked.module.css";

/** Says that an item is not saved yet. */
export function StateTag({ state }: { readonly state: ItemState }) {
  if (state === "same") return null;
  return <Tag kind="doubt">{state === "new" ? "new" : "edited"}</Tag>;
}

interface RemovedProps<Item> {
  readonly items: readonly Item[];
  readonly nameOf: (item: Item) => string;
  readonly onRestore: (item: Item) => void;
}

/** What was taken out and not saved yet, each with a way back. */
export function Removed<Item extends { readonly key: string }>(props: RemovedProps<Item>) {
  const { items, nameOf, onRestore } = props;
  if (items.length === 0) return null;
  return (
    <ul className={css["removed"]} aria-label="Removed, not saved yet">
      {items.map((item) => (
        <li key={item.key}>
          <s>{nameOf(item)}</s>
          <Button kind="plain" onClick={() => onRestore(item)}>
            Restore
          </Button>
        </li>
      ))}
    </ul>
  );
}
