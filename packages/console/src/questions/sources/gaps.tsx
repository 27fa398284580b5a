import type { Grouping } from "@sightline/client";
import { useAccount, useAccountName } from "../../data/account.ts";
import { faultText } from "../../data/fault-text.ts";
import { countText } from "../../data/format.ts";
import { fetched } from "../../data/later.ts";
import type { ViewQuestion } from "../../data/use-question.ts";
import { changeOwn } from "../../data/use-view.ts";
import { Button, Segments } from "../../parts/button.tsx";
import type { CsvForm } from "../../parts/csv.ts";
import { CsvMenu } from "../../parts/csv-menu.tsx";
import { Pager, pageOf, pageRows } from "../../parts/pager.tsx";
import { Panel } from "../../parts/panel.tsx";
import { told } from "../../parts/save.ts";
import { SearchField } from "../../parts/search-field.tsx";
import { Table } from "../../parts/table.tsx";
import { CopyMenu } from "../copy-menu.tsx";
import { emptyText } from "../empty-texts.tsx";
import { copiedSources, listedMax, sourceList } from "../source-questions.ts";
import { isGrowing, useGrowing } from "../use-growing.ts";
import { CitingAnswers } from "./citing-answers.tsx";
import { differenceOf, gapsOf, orderOf, smallBelow } from "./found-gaps.ts";
import { gapColumns } from "./gap-columns.tsx";
import { KindChips } from "./source-list.tsx";
import { type GapSide, narrow, type SourceView } from "./source-view.ts";
import css from "./sources.module.css";

interface GapsProps {
  readonly question: ViewQuestion;
  readonly list: SourceView;
}

/** Where answers name a competitor and not the brand, or the reverse. */
export function Gaps({ question, list }: GapsProps) {
  const { client } = useAccount();
  const owner = useAccountName(question.workspace.brand.name);
  const { brand } = question.workspace;
  const { side, gapsBy } = list;
  const of = gapsBy === "domain" ? "domains" : "pages";
  const reply = useGrowing(sourceList(question, gapsBy, orderOf(list)), () => true);
  const { error, isPlaceholderData, refetch } = reply;
  // Rows would jump while the list grows.
  const parts = isGrowing(reply) ? undefined : reply.data?.pages;
  const save = async (form: CsvForm) => {
    const { saveGaps } = await fetched(() => import("./save-sources.ts"));
    await saveGaps({ client, owner, question, groupBy: gapsBy, list, form });
  };
  return (
    <Panel
      title="Gaps"
      tools={
        <>
          <Segments<GapSide>
            label="Which gaps"
            options={[
              ["competitor", `Without ${brand.name}`],
              ["brand", `Only ${brand.name}`],
            ]}
            value={side}
            onChange={(chosen) => narrow({ side: chosen === "brand" ? "brand" : "" })}
          />
          <Segments<Grouping>
            label="Grouped by"
            options={[
              ["domain", "Domains"],
              ["url", "Pages"],
            ]}
            value={gapsBy}
            onChange={(chosen) => narrow({ by: chosen === "url" ? "url" : "" })}
          />
          <SearchField of={of} value={list.search} onChange={(q) => narrow({ q })} />
          <KindChips list={list} groupBy={gapsBy} />
          <CsvMenu onSave={(form) => told(save(form))} />
          <CopyMenu question={copiedSources(question, gapsBy, { orderBy: orderOf(list) })} />
        </>
      }
      query={{ data: parts, error, isPlaceholderData, refetch }}
      flush
      minHeight={480}
      emptyOf={([first]) => emptyText(first?.empty ?? null)}
      partialOf={(shown) => {
        if (error !== null) return `Some are missing: ${faultText(error)}`;
        const all = shown[0]?.pagination.total ?? 0;
        if (all <= listedMax) return null;
        const which = side === "competitor" ? "with the greatest opportunity" : "most cited";
        return `Of ${countText(all)} ${of}, the ${countText(listedMax)} ${which}.`;
      }}
    >
      {(shown) => (
        <GapTable
          {...{ question, list, of }}
          gaps={gapsOf(
            shown.flatMap(({ sources }) => sources),
            list,
          )}
        />
      )}
    </Panel>
  );
}

interface GapTableProps extends GapsProps {
  readonly of: string;
  readonly gaps: ReturnType<typeof gapsOf>;
}

function GapTable({ question, list, of, gaps: { large, small, even } }: GapTableProps) {
  const { brand } = question.workspace;
  const { side, gapsBy, withSmall, open } = list;
  const rows = withSmall || large.length === 0 ? [...large, ...small] : large;
  const page = pageOf(list.page, rows.length);
  const largest = Math.max(...rows.map((each) => Math.abs(differenceOf(each))), 1);
  const longest = Math.max(
    ...rows.map((each) => Math.max(each.withBrandOnly, each.withCompetitorOnly)),
    1,
  );
  return (
    <>
      <p className={css["explained"]}>
        {`These ${of} are cited more often in answers where `}
        {side === "competitor"
          ? `a competitor is visible and ${brand.name} is not `
          : `${brand.name} is visible and no competitor is `}
        than the reverse.
        {side === "competitor"
          ? ` Opportunity is about which share of all answers cites it and shows a competitor ` +
            `without ${brand.name}; where few prompts cite it, the mean of all ${of} counts more.`
          : null}
      </p>
      {rows.length === 0 ? null : (
        <Table
          caption={`Gaps by ${of}`}
          columns={gapColumns({ question, gapsBy, side, openSource: open, largest, longest })}
          rows={rows.slice(page * pageRows, (page + 1) * pageRows)}
          keyOf={({ source }) => source}
          detailOf={(source) =>
            source.source === open ? (
              <CitingAnswers
                {...{ question, source, groupBy: gapsBy }}
                side={side === "competitor" ? "withoutBrand" : "withoutCompetitor"}
              />
            ) : null
          }
        />
      )}
      <Pager
        noun={gapsBy === "domain" ? "domain" : "page"}
        {...{ page, total: rows.length }}
        onPage={(next) => changeOwn({ p: next === 0 ? "" : String(next + 1), open: "" })}
      >
        {even > 0 ? `${countText(even)} ${of} have equally many on both sides.` : null}
      </Pager>
      {small.length === 0 || large.length === 0 ? null : (
        <div className={css["fold"]}>
          <Button kind="plain" onClick={() => narrow({ small: withSmall ? "" : "1" })}>
            {`${withSmall ? "Hide" : "Show"} ${countText(small.length)} `}
            {`with fewer than ${smallBelow} such answers`}
          </Button>
        </div>
      )}
    </>
  );
}
