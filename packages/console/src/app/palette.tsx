import { useId, useState } from "react";
import { useAccount } from "../data/account.ts";
import { allAccounts } from "../data/accounts.ts";
import { usePerson } from "../data/person.ts";
import { useWorkspace } from "../data/queries.ts";
import type { PageName } from "../data/view.ts";
import { Dialog } from "../parts/dialog.tsx";
import { sectionsFor } from "../setup/sections.ts";
import { type Command, commandsOf } from "./commands.ts";
import css from "./palette.module.css";

const shownMax = 40;

interface PaletteProps {
  readonly pages: readonly PageName[];
  readonly onClose: () => void;
}

/** Finds a page, a prompt, a topic, an account or a thing to do, and goes there. */
export function Palette({ pages, onClose }: PaletteProps) {
  const { id: accountId, session } = useAccount();
  const person = usePerson();
  const { data: workspace } = useWorkspace();
  const [search, setSearch] = useState("");
  const [at, setAt] = useState(0);
  const id = useId();
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = commandsOf({
    workspace: workspace ?? null,
    pages,
    sections: pages.includes("setup") ? sectionsFor(session) : [],
    accounts: allAccounts(person?.accounts ?? []).filter((each) => each.id !== accountId),
  })
    .filter(({ text, kind }) =>
      words.every((word) => `${text} ${kind}`.toLowerCase().includes(word)),
    )
    .slice(0, shownMax);
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    onClose();
    command.run();
  };
  const pressed = (event: React.KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return; // they choose what an input method proposes
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const next = Math.max(0, Math.min(found.length - 1, at + step));
      setAt(next);
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter") {
      event.preventDefault();
      run(found[at]);
    }
  };
  return (
    <Dialog title="Search" onClose={onClose}>
      <input
        className={css["find"]}
        // A search field would take the first Escape to clear itself.
        type="text"
        role="combobox"
        aria-label="Search pages, prompts, topics, accounts and commands"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={`${id}-${at}`}
        placeholder="A page, a prompt, a topic, a provider …"
        data-focus
        value={search}
        onKeyDown={pressed}
        onChange={({ target }) => {
          setSearch(target.value);
          setAt(0);
        }}
      />
      <div className={css["list"]} id={id} role="listbox" aria-label="Found">
        {found.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
          <div
            key={`${command.kind}${command.text}${command.key ?? ""}`}
            id={`${id}-${index}`}
            className={css["entry"]}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onClick={() => run(command)}
          >
            <span>{command.text}</span>
            <span className={css["kind"]}>{command.kind}</span>
          </div>
        ))}
        {found.length === 0 ? <p className="quiet">Nothing matches.</p> : null}
      </div>
    </Dialog>
  );
}
