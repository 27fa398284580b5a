import type { Grouping } from "@sightline/client";
import { useAccount, useAccountName } from "../../data/account.ts";
import { faultText } from "../../data/fault-text.ts";
import { countText } from "../../data/format.ts";
import { fetched } from "../../data/later.ts";
import { copiedSources } from "../../data/sources.ts";
import type { ViewQuestion } from "../../data/use-question.ts";
import { changeOwn } from "../../data/use-view.ts";
import { Button } from "../../parts/button.tsx";
import { Chip, OptionList } from "../../parts/chip.tsx";
import { CopyMenu } from "../../parts/copy-menu.tsx";
import { Pager } from "../../parts/pager.tsx";
import { Panel } from "../../parts/panel.tsx";
import { told } from "../../parts/save.ts";
import { SearchField } from "../../parts/search-field.tsx";
import { Table } from "../../parts/table.tsx";
import { CitingAnswers } from "./citing-answers.tsx";
import { DomainPages } from "./domain-pages.tsx";
import { classTexts } from "./source-class.tsx";
import { barOf, sourceColumns } from "./source-columns.tsx";
import { narrow, openSource, type SourceView, sortBy } from "./source-view.ts";
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
  const save = async () => {
    const { saveSources } = await fetched(() => import("./save-sources.ts"));
    await saveSources({ client, owner, question, groupBy, list });
  };
  const columns = sourceColumns({ question, groupBy, openSource: list.open, onOpen: openSource });
  return (
    <Panel
      title={<Title groupBy={groupBy} total={query.data?.all} />}
      tools={
        <>
          <SearchField of={of} value={list.search} onChange={(q) => narrow({ q })} />
          <ClassChip chosen={list.class} />
          <Button icon="download" onClick={() => told(save())}>
            CSV
          </Button>
          <CopyMenu question={copiedSources(question, groupBy)} />
        </>
      }
      query={query}
      flush
      minHeight={480}
      emptyOf={(listed) =>
        nothingListed(
          listed,
          <Button onClick={() => narrow({ q: "", class: "", p: "" })}>Show all {of}</Button>,
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

/** Which class of sources is listed. */
export function ClassChip({ chosen }: { readonly chosen: string | null }) {
  const options = Object.entries(classTexts).map(([value, text]) => ({ value, text }));
  return (
    <Chip name="Class" value={chosen === null ? null : (classTexts[chosen] ?? chosen)}>
      {(close) => (
        <OptionList
          name="Class"
          options={[{ value: "", text: "All classes" }, ...options]}
          chosen={[chosen ?? ""]}
          onChange={([value]) => narrow({ class: value ?? "" })}
          single
          close={close}
        />
      )}
    </Chip>
  );
}
