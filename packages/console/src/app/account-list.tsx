import { useState } from "react";
import { useAccount, useScope } from "../data/account.ts";
import type { KnownAccount } from "../data/accounts.ts";
import type { PersonAccount } from "../data/person.ts";
import { changeView } from "../data/use-view.ts";
import { plainView } from "../data/view.ts";
import { MenuList } from "../parts/popover.tsx";
import css from "./account-list.module.css";

interface AccountListProps {
  /** Of the account whose pages these are. */
  readonly name: string;
  readonly others: readonly (PersonAccount | KnownAccount)[];
  /** There is a field that finds accounts. */
  readonly isSearched: boolean;
  readonly close: () => void;
  readonly onAnother: () => void;
  readonly onNew: () => void;
  readonly onKeys: () => void;
  readonly onLeave: (isPerson: boolean) => void;
}

/** Drawn at most; a search brings up the others. */
const shownMax = 50;

/** What the account's button opens. */
export function AccountList(props: AccountListProps) {
  const { name, others, isSearched, close, onAnother, onNew, onKeys, onLeave } = props;
  const { session } = useAccount();
  const mayCreate = useScope("accounts");
  const [search, setSearch] = useState("");
  const person = session?.person;
  const words = search.trim().toLowerCase();
  const found = others.filter((each) => (each.name ?? each.id).toLowerCase().includes(words));
  const entries = found.slice(0, shownMax).map((each) => ({
    text: (
      <>
        <span className={css["name"]}>{each.name ?? each.id}</span>
        {"role" in each ? <span className={css["role"]}>{each.role}</span> : null}
      </>
    ),
    onSelect: () => changeView({ ...plainView, account: each.id }),
  }));
  return (
    <MenuList
      close={close}
      isMenu={!isSearched}
      head={
        <>
          {person === undefined ? null : (
            <div className={css["person"]} role={isSearched ? undefined : "presentation"}>
              <strong>{person.name}</strong>, {person.role} of {name}
              <div className="small quiet">{person.email}</div>
            </div>
          )}
          {isSearched ? (
            <AccountSearch search={search} count={found.length} onChange={setSearch} />
          ) : null}
        </>
      }
      groups={[
        ...(entries.length === 0 ? [] : [entries]),
        [
          { text: "Add an account", onSelect: onAnother },
          ...(mayCreate ? [{ text: "Create an account", onSelect: onNew }] : []),
          { text: "Keyboard shortcuts", onSelect: onKeys },
          { text: "Guides", onSelect: () => location.assign("/docs/guide/README") },
          { text: "API", onSelect: () => location.assign("/docs") },
        ],
        ...wayOut(),
      ]}
    />
  );

  /** A person whom a proxy names signs out there. */
  function wayOut() {
    if (person !== undefined && session?.expiresAt === null) return [];
    const isPerson = person !== undefined;
    const text = isPerson ? "Sign out" : `Sign out of ${name}`;
    return [[{ text, onSelect: () => onLeave(isPerson) }]];
  }
}

interface AccountSearchProps {
  readonly search: string;
  readonly count: number;
  readonly onChange: (search: string) => void;
}

function AccountSearch({ search, count, onChange }: AccountSearchProps) {
  return (
    <>
      <input
        className={css["find"]}
        // A search field would take the first Escape to clear itself.
        type="text"
        role="searchbox"
        data-item
        placeholder="Search accounts"
        aria-label="Search accounts"
        // biome-ignore lint/a11y/noAutofocus: the list was opened to be searched
        autoFocus
        value={search}
        onChange={({ target }) => onChange(target.value)}
      />
      {count === 0 ? <p className={css["none"]}>Nothing matches.</p> : null}
      {count > shownMax ? (
        <p className={css["none"]}>
          {shownMax} of {count} shown
        </p>
      ) : null}
    </>
  );
}
