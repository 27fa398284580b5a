import type { DeclaredReport, Report, ReportsResponse } from "@sightline/client";
import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { useWorkspaceFile } from "../accounts/queries.ts";
import { type Account, useAccount, useScope } from "../data/account.ts";
import { dateText } from "../data/format.ts";
import { useKeeping } from "../data/kept.ts";
import { later } from "../data/later.ts";
import { noteFailure, useManaged } from "../data/managed.ts";
import { repliesOf, useWorkspace } from "../data/queries.ts";
import { sharedReport } from "../links/link-view.ts";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog } from "../parts/form-dialog.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { Panel } from "../parts/panel.tsx";
import { Missing, Refused } from "../parts/refused.tsx";
import { announce, saveFile, told } from "../parts/save.ts";
import { type Column, Table } from "../parts/table.tsx";
import { Tag } from "../parts/tag.tsx";
import { PageButtons, useTurnedPages } from "../parts/turned-pages.tsx";
import { ReportDialog } from "./report-dialog.tsx";
import { pageFileName, periodText, scheduleText, withReport } from "./report-rules.ts";
import css from "./reports.module.css";

const ShareDialog = later(async () => (await import("../links/share-dialog.tsx")).ShareDialog);

/** A report of a large account takes seconds, more while others ask. */
const makingMs = 120_000;

/** The reports of the workspace, and those that were made of them. */
export function ReportsPage() {
  const mayManage = useScope("manage");
  return (
    <>
      <PageHead title="Reports" of={useWorkspace().data?.brand.name} />
      <div className={css["lists"]}>
        {mayManage ? null : <Missing scope="manage" what="Adding and making reports" />}
        <Declared mayManage={mayManage} />
        <Made mayManage={mayManage} />
      </div>
    </>
  );
}

function Declared({ mayManage }: { readonly mayManage: boolean }) {
  const file = useWorkspaceFile();
  const { keep, failure, isRunning } = useKeeping();
  const { make, making } = useMaking();
  const [edited, setEdited] = useState<DeclaredReport | "new" | null>(null);
  const [removed, setRemoved] = useState<DeclaredReport | null>(null);
  const before = edited === "new" || edited === null ? null : edited;
  const close = () => setEdited(null);
  return (
    <>
      <Panel
        title="Reports"
        query={file}
        flush
        tools={
          mayManage ? (
            <Button icon="plus" onClick={() => setEdited("new")}>
              Add report
            </Button>
          ) : null
        }
        emptyOf={(tagged) => ((tagged.file.reports ?? []).length === 0 ? noneDeclared : null)}
      >
        {(tagged) => (
          <Table
            caption="Reports"
            rows={tagged.file.reports ?? []}
            keyOf={({ name }) => name}
            columns={declaredColumns({ mayManage, making, make, setEdited, setRemoved })}
          />
        )}
      </Panel>
      {edited === null ? <Refused error={failure} /> : null}
      {edited === null ? null : (
        <ReportDialog
          report={before}
          failure={failure}
          isRunning={isRunning}
          onSave={(report) =>
            keep(
              ({ reports }) => ({ reports: withReport(reports, report, before?.name ?? null) }),
              close,
            )
          }
          onClose={close}
        />
      )}
      {removed === null ? null : (
        <ConfirmDialog
          title={`Remove ${removed.name}?`}
          action="Remove"
          onConfirm={async () => {
            const { name } = removed;
            keep(({ reports }) => ({ reports: reports.filter((each) => each.name !== name) }));
            setRemoved(null);
          }}
          onClose={() => setRemoved(null)}
        >
          <p>It is made no more. What was made of it stays in the list.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

const noneDeclared = {
  title: "No reports yet",
  text: "A report is a page of numbers for people without the console, made once and kept.",
};

interface DeclaredColumns {
  readonly mayManage: boolean;
  /** The name of the report that is being made. */
  readonly making: string | null;
  readonly make: (name: string) => Promise<void>;
  readonly setEdited: (report: DeclaredReport) => void;
  readonly setRemoved: (report: DeclaredReport) => void;
}

function declaredColumns(props: DeclaredColumns): readonly Column<DeclaredReport>[] {
  const { mayManage, making, make, setEdited, setRemoved } = props;
  const columns: readonly Column<DeclaredReport>[] = [
    {
      key: "name",
      title: "Name",
      main: true,
      cell: ({ name, subtitle }) => (
        <>
          <div>{name}</div>
          {subtitle === undefined ? null : <div className="small quiet">{subtitle}</div>}
        </>
      ),
    },
    { key: "period", title: "Period", drops: 2, cell: ({ period }) => periodText(period) },
    { key: "made", title: "Made", drops: 1, cell: ({ schedule }) => scheduleText(schedule) },
  ];
  if (!mayManage) return columns;
  const actions: Column<DeclaredReport> = {
    key: "do",
    title: <span className="visually-hidden">Actions</span>,
    figure: true,
    cell: (report) => (
      <span className={css["acts"]}>
        <Button disabled={making !== null} onClick={() => told(make(report.name))}>
          {making === report.name ? "Making …" : "Make now"}
        </Button>
        <Button aria-label={`Change ${report.name}`} onClick={() => setEdited(report)}>
          Change
        </Button>
        <Button aria-label={`Remove ${report.name}`} onClick={() => setRemoved(report)}>
          Remove
        </Button>
      </span>
    ),
  };
  return [...columns, actions];
}

function useMaking() {
  const account = useAccount();
  const queries = useQueryClient();
  const [making, setMaking] = useState<string | null>(null);
  const make = async (report: string) => {
    setMaking(report);
    try {
      await account.client.reports.make({ report }, { timeoutMs: makingMs });
      announce(`${report} was made.`);
    } catch (error) {
      throw noteFailure(queries, account, error);
    } finally {
      setMaking(null);
      void queries.invalidateQueries({ queryKey: repliesOf(account, "reports") });
    }
  };
  return { make, making };
}

function Made({ mayManage }: { readonly mayManage: boolean }) {
  const account = useAccount();
  const pages = useTurnedPages();
  const [shared, setShared] = useState<Report | null>(null);
  const { cursor } = pages;
  const ask = ({ client }: Account, signal: AbortSignal) =>
    client.reports.list({ cursor }, { signal });
  // A report that was made is on the first page, which is then fetched again by this name.
  const name = cursor === undefined ? "reports" : `reports ${cursor}`;
  const page = useManaged<ReportsResponse>({ name, ask });
  const next = page.data?.nextCursor ?? null;
  const owner = useWorkspaceFile().data?.file.account.name ?? "";
  const save = async ({ id, name, period }: Report) => {
    const html = await account.client.reports.html(id);
    saveFile(pageFileName(owner, name, period), new Blob([html], { type: "text/html" }));
  };
  return (
    <Panel
      title="Made reports"
      query={page}
      flush
      emptyOf={({ reports }) => (reports.length === 0 ? noneMade : null)}
    >
      {({ reports }) => (
        <>
          <Table
            caption="Made reports"
            rows={reports}
            keyOf={({ id }) => id}
            columns={madeColumns({
              save: (report) => told(save(report)),
              share: mayManage ? setShared : null,
            })}
          />
          <PageButtons pages={pages} next={next} />
          {shared === null ? null : (
            <Suspense>
              <ShareDialog shared={sharedReport(shared)} onClose={() => setShared(null)} />
            </Suspense>
          )}
        </>
      )}
    </Panel>
  );
}

const noneMade = {
  title: "No report was made yet",
  text: "Its page is one file: open it in a browser, send it or print it.",
};

interface MadeActions {
  readonly save: (report: Report) => void;
  /** Null: the reader may not. */
  readonly share: ((report: Report) => void) | null;
}

function madeColumns({ save, share }: MadeActions): readonly Column<Report>[] {
  return [
    {
      key: "name",
      title: "Name",
      main: true,
      cell: ({ name, supersededBy }) => (
        <>
          {name} {supersededBy === null ? null : <Tag kind="doubt">superseded</Tag>}
        </>
      ),
    },
    {
      key: "period",
      title: "Period",
      cell: ({ period }) => `${dateText(period.startDate)} – ${dateText(period.endDate)}`,
    },
    { key: "made", title: "Made", drops: 2, cell: ({ madeAt }) => dateText(madeAt, "instant") },
    {
      key: "by",
      title: "By",
      drops: 1,
      cell: ({ actor, dueAt }) => (dueAt === null ? actor.name : "schedule"),
    },
    {
      key: "do",
      title: <span className="visually-hidden">Actions</span>,
      figure: true,
      cell: (report) => (
        <span className={css["acts"]}>
          {share === null ? null : (
            <Button
              icon="out"
              aria-label={`Share ${report.name}, ${report.period.startDate}`}
              onClick={() => share(report)}
            >
              Share
            </Button>
          )}
          <Button
            icon="download"
            aria-label={`Save page of ${report.name}, ${report.period.startDate}`}
            onClick={() => save(report)}
          >
            Save page
          </Button>
        </span>
      ),
    },
  ];
}
