import type { PageName } from "../data/view.ts";
import { Dialog } from "../parts/dialog.tsx";
import css from "./key-list.module.css";
import { pageList } from "./pages.tsx";

type Row = readonly [keys: readonly string[], does: string];

type Group = readonly [title: string, rows: readonly Row[]];

const everywhere = (pages: readonly PageName[]): Group => [
  "Everywhere",
  [
    [["Ctrl", "K"], "search pages, prompts, topics, accounts and commands"],
    [["/"], "find on this page"],
    [["?"], "this list"],
    [["Esc"], "close what is open"],
    ...pages.map((page): Row => [["g", pageList[page].key], `go to ${pageList[page].title}`]),
  ],
];

const groups: readonly Group[] = [
  [
    "Overview",
    [
      [["←", "→"], "move along the chart when it is focused; Home and End go to its ends"],
      [["Enter"], "open the evidence of that point"],
    ],
  ],
  [
    "Evidence",
    [
      [["j", "k"], "next answer, previous answer"],
      [["Enter"], "open the answer"],
    ],
  ],
  [
    "Labels",
    [
      [["y", "n"], "yes, no"],
      [["s", "→"], "skip the answer"],
      [["←"], "the answer before"],
      [["u"], "take the last label back"],
    ],
  ],
];

interface KeyListProps {
  readonly pages: readonly PageName[];
  readonly onClose: () => void;
}

/** All keys that do something. */
export function KeyList({ pages, onClose }: KeyListProps) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className={css["keys"]}>
        {[everywhere(pages), ...groups].flatMap(([title, rows]) => [
          <h3 key={title}>{title}</h3>,
          ...rows.flatMap(([keys, does]) => [
            <dt key={`${title}${does}`}>
              {keys.map((each) => (
                <kbd key={each} className={css["key"]}>
                  {each}
                </kbd>
              ))}
            </dt>,
            <dd key={`${title}${does}.`}>{does}</dd>,
          ]),
        ])}
      </dl>
    </Dialog>
  );
}
