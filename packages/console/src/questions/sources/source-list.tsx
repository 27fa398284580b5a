import type { Grouping } from "@sightline/client";
import { useState } from "react";
import { useAccount, useAccountName } from "../../data/account.ts";
import { faultText } from "../../data/fault-text.ts";
import { countOf, countText } from "../../data/format.ts";
import { fetched } from "../../data/later.ts";
import type { ViewQuestion } from "../../data/use-question.ts";
import { changeOwn } from "../../data/use-view.ts";
import { Button } from "../../parts/button.tsx";
import { Chip, OptionList } from "../../parts/chip.tsx";
import type { CsvForm } from "../../parts/csv.ts";
import { CsvMenu } from "../../parts/csv-menu.tsx";
import { Pager } from "../../parts/pager.tsx";
import { Failure, Interrupted, Panel } from "../../parts/panel.tsx";
import { told } from "../../parts/save.ts";
import { SearchField } from "../../parts/search-field.tsx";
import { Table } from "../../parts/table.tsx";
import { CopyMenu } from "../copy-menu.tsx";
import { copiedSources, type ListedSource, pageList } from "../source-questions.ts";
import { useGrowing } from "../use-growing.ts";
import { CitingAnswers } from "./citing-answers.tsx";
import { classTexts, formTexts, kindTexts } from "./source-class.tsx";
import { barOf, sourceColumns } from "./source-columns.tsx";
import { narrow, openPageOf, openSource, type SourceView, sortBy } from "./source-view.ts";
import css from "./sources.module.css";
import { missing, nothingListed, useListed } from "./use-listed.ts";

interface SourceListProps {
  readonly question: ViewQuestion;
  readonly groupBy: Grouping;
  readonly list: SourceView;
}

/** The domains or pages that answers cite, the most cited first. */
export function SourceList({ question, groupBy, list }: SourceListProps) {
  const { client } = useAccount();
  const owner = useAccountName(question.workspace.brand.name);
  const query = useListed(question, groupBy, list);
  const of = groupBy === "domain" ? "domains" : "pages";
  const save = async (form: CsvForm) => {
    const { saveSources } = await fetched(() => import("./save-sources.ts"));
    await saveSources({ client, owner, question, groupBy, list, form });
  };
  const columns = sourceColumns({ question, groupBy, openSource: list.open, onOpen: openSource });
  return (
    <Panel
      title={<Title groupBy={groupBy} total={query.data?.all} />}
      tools={
        <>
          <SearchField of={of} value={list.search} onChange={(q) => narrow({ q })} />
          <KindChips list={list} groupBy={groupBy} />
          <CsvMenu onSave={(form) => told(save(form))} />
          <CopyMenu question={copiedSources(question, groupBy)} />
        </>
      }
      query={query}
      flush
      minHeight={480}
      emptyOf={(listed) =>
        nothingListed(
          listed,
          <Button onClick={() => narrow({ q: "", class: "", kind: "", form: "", p: "" })}>
            Show all {of}
          </Button>,
        )
      }
      partialOf={(listed) =>
        query.error === null ? missing(listed) : `Some are missing: ${faultText(query.error)}`
      }
    >
      {({ rows, total, all, page, largestShare }) => (
        <>
          <Table
            caption={`Cited ${of}`}
            columns={columns}
            rows={rows}
            keyOf={({ source }) => source}
            sorting={list.sorting}
            onSort={sortBy}
            barOf={(each) => barOf(each, largestShare)}
            detailOf={(source) =>
              source.source !== list.open ? null : groupBy === "domain" ? (
                <DomainPages question={question} domain={source} openPage={list.openPage} />
              ) : (
                <CitingAnswers question={question} groupBy="url" source={source} side="all" />
              )
            }
          />
          <Pager
            noun={groupBy === "domain" ? "domain" : "page"}
            {...{ total, page }}
            onPage={(next) => changeOwn({ p: next === 0 ? "" : String(next + 1), open: "" })}
          >
            {total === all ? "A bar is a share of all citations." : `of ${countText(all)} cited`}
          </Pager>
        </>
      )}
    </Panel>
  );
}

interface TitleProps {
  readonly groupBy: Grouping;
  /** Undefined: not known yet. */
  readonly total: number | undefined;
}

function Title({ groupBy, total }: TitleProps) {
  return (
    <>
      {groupBy === "domain" ? "Domains" : "Pages"}{" "}
      <span className={css["count"]}>{total === undefined ? "" : countText(total)}</span>
    </>
  );
}

/** Whose sources are listed, of what kind of site, and what pages. */
export function KindChips({ list, groupBy }: Pick<SourceListProps, "list" | "groupBy">) {
  return (
    <>
      <KindChip field="class" name="Class" texts={classTexts} chosen={list.class} />
      <KindChip field="kind" name="Kind" texts={kindTexts} chosen={list.kind} />
      {groupBy === "domain" ? null : (
        <KindChip field="form" name="Form" texts={formTexts} chosen={list.form} />
      )}
    </>
  );
}

interface KindChipProps {
  /** As the address names it. */
  readonly field: "class" | "kind" | "form";
  readonly name: string;
  readonly texts: Readonly<Record<string, string>>;
  readonly chosen: string | null;
}

function KindChip({ field, name, texts, chosen }: KindChipProps) {
  const options = Object.entries(texts).map(([value, text]) => ({ value, text }));
  const all = name === "Class" ? "All classes" : `Every ${name.toLowerCase()}`;
  return (
    <Chip name={name} value={chosen === null ? null : (texts[chosen] ?? chosen)}>
      {(close) => (
        <OptionList
          name={name}
          options={[{ value: "", text: all }, ...options]}
          chosen={[chosen ?? ""]}
          onChange={([value]) => narrow({ [field]: value ?? "" })}
          single
          close={close}
        />
      )}
    </Chip>
  );
}

interface DomainPagesProps {
  readonly question: ViewQuestion;
  readonly domain: ListedSource;
  /** The page whose answers are open. */
  readonly openPage: string | null;
}

/** Pages that are shown before all are asked for. */
const shownFirst = 10;

/** The pages of a domain, the most cited first. */
function DomainPages({ question, domain, openPage }: DomainPagesProps) {
  const [showsAll, setShowsAll] = useState(false);
  const reply = useGrowing(pageList(question, domain.source), () => showsAll);
  const { data, error, isPlaceholderData, isFetching, hasNextPage, refetch } = reply;
  const isThere = data !== undefined && !isPlaceholderData;
  const pages = isThere ? data.pages.flatMap(({ sources }) => sources) : [];
  if (error !== null && pages.length === 0) return <Failure error={error} retry={refetch} />;
  const total = isThere ? (data.pages[0]?.pagination.total ?? 0) : 0;
  const shown = showsAll ? pages : pages.slice(0, shownFirst);
  const isGrowing = !isThere || (showsAll && isFetching);
  return (
    <div className={css["inner"]} aria-busy={isGrowing}>
      <Table
        caption={`Cited pages of ${domain.source}`}
        columns={sourceColumns({
          question,
          groupBy: "url",
          openSource: openPage,
          onOpen: openPageOf,
          domain: domain.source,
        })}
        rows={shown}
        keyOf={({ source }) => source}
        barOf={(each) => barOf(each, pages[0]?.share ?? 1)}
        detailOf={(page) =>
          page.source === openPage ? (
            <CitingAnswers question={question} groupBy="url" source={page} side="all" />
          ) : null
        }
      />
      <div className={css["foot"]}>
        {error !== null && hasNextPage ? <Interrupted error={error} retry={refetch} /> : null}
        <span className="quiet">
          {isThere ? countOf(total, "page") : "Loading its pages …"}
          {showsAll && !hasNextPage && pages.length < total
            ? `, the ${countText(pages.length)} most cited`
            : ""}
        </span>
        {!showsAll && total > shown.length ? (
          <Button kind="plain" onClick={() => setShowsAll(true)}>
            Show all {countText(total)}
          </Button>
        ) : null}
        <CopyMenu
          question={copiedSources(question, "url", { domain: domain.source })}
          label="Copy the pages as"
        />
      </div>
    </div>
  );
}
