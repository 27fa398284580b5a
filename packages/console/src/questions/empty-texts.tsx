import { currentSearch } from "../data/address.ts";
import { dateText } from "../data/format.ts";
import { changeView, clearFilters, isFiltered } from "../data/use-view.ts";
import { viewOf } from "../data/view.ts";
import { Button } from "../parts/button.tsx";
import type { Empty } from "../parts/panel.tsx";

/** Why a reply of the insights is empty, as the service says it; null: it is not. */
export interface EmptyReply {
  readonly reason: string;
  readonly first: string | null;
  readonly last: string | null;
}

/** What a panel says of an empty reply, and what to do about it. */
export function emptyText(empty: EmptyReply | null): Empty | null {
  if (empty === null) return null;
  const { reason, first, last } = empty;
  const covers =
    first === null || last === null
      ? ""
      : ` The account's answers are of ${dateText(first)} to ${dateText(last)}.`;
  const all = <Button onClick={() => changeView({ period: "all" })}>Show all answers</Button>;
  const clear = isFiltered(viewOf(currentSearch())) ? (
    <Button onClick={clearFilters}>Clear filters</Button>
  ) : undefined;
  const setUp = (
    <Button kind="primary" onClick={() => changeView({ page: "setup" })}>
      Import answers
    </Button>
  );
  const texts: Readonly<Record<string, Empty>> = {
    noAnswers: {
      title: "No answers yet",
      text: "Nothing has been imported into this account yet. Import answers to see numbers.",
      actions: setUp,
    },
    outsideRange: {
      title: "No answers in this period",
      text: `No answer lies in this period.${covers}`,
      actions: all,
    },
    notTrackedThen: {
      title: "No answers to these filters in this period",
      text: `There are some at other times.${covers}`,
      actions: all,
    },
    filteredOut: {
      title: "No answer passes the filters",
      text: "No answer passes them at any time. Remove a filter.",
      actions: clear,
    },
    uninformative: {
      title: "No brand is named",
      text: "Answers pass the filters, but none names the brand or a competitor.",
      actions: clear,
    },
    uncited: {
      title: "Nothing is cited",
      text: "Answers pass the filters, but none cites a page.",
      actions: clear,
    },
  };
  return texts[reason] ?? { title: "Nothing to show", text: `The service says: ${reason}.` };
}
