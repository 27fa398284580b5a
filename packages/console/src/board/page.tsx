import { useQuery } from "@tanstack/react-query";
import { countOf, rangeText } from "../data/format.ts";
import { usePerson } from "../data/person.ts";
import { changeOwn, useView } from "../data/use-view.ts";
import { Chip, OptionList } from "../parts/chip.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { Panel } from "../parts/panel.tsx";
import { Notice } from "../parts/refused.tsx";
import { SearchField } from "../parts/search-field.tsx";
import type { Sorting } from "../parts/table.tsx";
import { AccountTable } from "./account-table.tsx";
import css from "./board.module.css";
import { boardQuery } from "./board-query.ts";
import { type Board, type BoardChoice, shownRows, tagsOf } from "./rows.ts";

/** How soon accounts whose numbers are being made are asked again. */
const againMs = 5_000;
/** How long the numbers are shown without asking again. */
const staleMs = 60_000;

/** The accounts of a person, side by side. */
export function AccountsPage() {
  const person = usePerson();
  const isAsked = person !== undefined && person.person !== null;
  const board = useQuery<Board>({
    ...boardQuery,
    enabled: isAsked,
    staleTime: staleMs,
    refetchInterval: ({ state: { data } }) =>
      data?.accounts.some(({ state }) => state === "later") === true ? againMs : false,
  });
  const { own } = useView();
  const choice = choiceOf(own);
  if (person !== undefined && !isAsked) {
    return (
      <>
        <PageHead title="Accounts" />
        <div className={css["filters"]}>
          <Notice>
            This page lists the accounts of a person. This session is a key's, which has one
            account.
          </Notice>
        </div>
      </>
    );
  }
  const { data } = board;
  return (
    <>
      <PageHead title="Accounts" of={data === undefined ? undefined : daysText(data)} />
      <div className={css["filters"]}>
        <SearchField
          of="accounts"
          value={choice.search}
          onChange={(q) => changeOwn({ q }, { replace: true })}
        />
        <TagChip tags={tagsOf(data?.accounts ?? [])} chosen={choice.tags} />
      </div>
      <Panel
        title={data === undefined ? "Accounts" : countOf(data.accounts.length, "account")}
        query={board}
        flush
        minHeight={320}
        partialOf={({ leftOut }) =>
          leftOut === 0 ? null : `${countOf(leftOut, "more account")} not shown.`
        }
        emptyOf={({ accounts }) => (shownRows(accounts, choice).length === 0 ? noneFound : null)}
      >
        {(reply) => (
          <AccountTable
            board={reply}
            rows={shownRows(reply.accounts, choice)}
            sorting={choice.sorting}
            onSort={({ key, descending }) => changeOwn({ sort: `${descending ? "-" : ""}${key}` })}
          />
        )}
      </Panel>
    </>
  );
}

const noneFound = { title: "No account matches", text: "Change the search or the tags." };

/** In the address: `_sort=-mentions` is by mentions, the most first. */
function choiceOf(own: Readonly<Record<string, string>>): BoardChoice {
  const { q = "", tags = "", sort = "name" } = own;
  const sorting: Sorting = { key: sort.replace(/^-/, ""), descending: sort.startsWith("-") };
  return { search: q, tags: tags.split("\n").filter(Boolean), sorting };
}

function daysText({ from, to }: Board): string {
  const [fromMs, lastMs] = [Date.parse(from), Date.parse(to)];
  return rangeText({ fromMs, toMs: lastMs + 86_400_000 });
}

interface TagChipProps {
  readonly tags: readonly string[];
  readonly chosen: readonly string[];
}

/** Narrows the table to accounts with tags, where some have any. */
function TagChip({ tags, chosen }: TagChipProps) {
  if (tags.length === 0) return null;
  return (
    <Chip name="Tags" value={chosen.length === 0 ? null : chosen.join(", ")}>
      {(close) => (
        <OptionList
          name="Tags"
          options={tags.map((tag) => ({ value: tag, text: tag }))}
          chosen={chosen}
          onChange={(next) => changeOwn({ tags: next.join("\n") }, { replace: true })}
          close={close}
        />
      )}
    </Chip>
  );
}
