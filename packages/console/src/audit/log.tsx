import type { AuditAction, AuditResponse } from "@sightline/client";
import { useState } from "react";
import { type Account, useAccount, useScope } from "../data/account.ts";
import { dateText } from "../data/format.ts";
import { useManaged } from "../data/managed.ts";
import { Button } from "../parts/button.tsx";
import { Expander } from "../parts/expander.tsx";
import { inputClass } from "../parts/fields.tsx";
import { Panel } from "../parts/panel.tsx";
import { Missing } from "../parts/refused.tsx";
import { saveFile, told } from "../parts/save.ts";
import { Table } from "../parts/table.tsx";
import { PageButtons, useTurnedPages } from "../parts/turned-pages.tsx";
import { type AuditEntry, actionWords, actorWords, subjectOf } from "./audit-words.ts";
import css from "./log.module.css";

/** The account's changes with their actors, newest first. */
export function AuditLog() {
  const mayManage = useScope("manage");
  const [action, setAction] = useState<AuditAction | null>(null);
  const pages = useTurnedPages();
  const { cursor } = pages;
  const page = useManaged<AuditResponse>({
    name: `audit ${action} ${cursor}`,
    enabled: mayManage,
    ask: ({ client }, signal) =>
      client.audit.list({ action: action ?? undefined, cursor }, { signal }),
  });
  if (!mayManage) return <Missing scope="manage" what="Reading the audit log" />;
  const next = page.data?.nextCursor ?? null;
  return (
    <Panel
      title="Audit log"
      query={page}
      flush
      tools={
        <>
          <ActionChoice
            action={action}
            onChoose={(chosen) => {
              setAction(chosen);
              pages.turnTo([]);
            }}
          />
          <SaveButton />
        </>
      }
      emptyOf={({ entries }) => (entries.length === 0 ? empty : null)}
    >
      {({ entries }) => (
        <>
          <Entries entries={entries} />
          <PageButtons pages={pages} next={next} />
        </>
      )}
    </Panel>
  );
}

const empty = {
  title: "No such entries",
  text: "Each change of the account is listed, with the person, key, command or service behind it.",
};

interface ActionChoiceProps {
  readonly action: AuditAction | null;
  readonly onChoose: (action: AuditAction | null) => void;
}

function ActionChoice({ action, onChoose }: ActionChoiceProps) {
  const actions = Object.entries(actionWords) as [AuditAction, string][];
  return (
    <select
      className={`${inputClass} ${css["choice"]}`}
      aria-label="Which changes"
      value={action ?? ""}
      onChange={({ target }) =>
        onChoose(actions.find(([name]) => name === target.value)?.[0] ?? null)
      }
    >
      <option value="">All changes</option>
      {actions.map(([name, words]) => (
        <option key={name} value={name}>
          {words}
        </option>
      ))}
    </select>
  );
}

/** Saves the whole log, oldest first, as the command writes it. */
function SaveButton() {
  const account = useAccount();
  const [isRunning, setRunning] = useState(false);
  const save = async () => {
    setRunning(true);
    try {
      saveFile("audit.ndjson", await wholeLog(account));
    } finally {
      setRunning(false);
    }
  };
  return (
    <Button icon="download" disabled={isRunning} onClick={() => told(save())}>
      NDJSON
    </Button>
  );
}

async function wholeLog({ client }: Account): Promise<Blob> {
  const lines: string[] = [];
  for await (const entry of client.audit.list()) lines.push(`${JSON.stringify(entry)}\n`);
  return new Blob(lines.toReversed(), { type: "application/x-ndjson" });
}

function Entries({ entries }: { readonly entries: readonly AuditEntry[] }) {
  const [open, setOpen] = useState<number | null>(null);
  return (
    <Table
      caption="Audit log, newest first"
      rows={entries}
      keyOf={({ sequence }) => sequence}
      columns={[
        {
          key: "at",
          title: "Time (UTC)",
          cell: ({ at }) => dateText(at, "instant").replace(" UTC", ""),
        },
        {
          key: "actor",
          title: "By",
          cell: ({ actor: { kind, name } }) => (
            <>
              {name} <span className="small quiet">{actorWords[kind] ?? kind}</span>
            </>
          ),
        },
        {
          key: "action",
          main: true,
          title: "Change",
          cell: ({ sequence, action }) => (
            <Expander
              isOpen={open === sequence}
              onToggle={() => setOpen(open === sequence ? null : sequence)}
            >
              {actionWords[action] ?? action}
            </Expander>
          ),
        },
        { key: "subject", title: "Of", drops: 1, cell: subjectOf },
      ]}
      detailOf={(entry) => (entry.sequence === open ? <Details entry={entry} /> : null)}
    />
  );
}

function Details({ entry }: { readonly entry: AuditEntry }) {
  const { before, after, actor, subject, sequence, hash } = entry;
  const facts = {
    Entry: sequence,
    Subject: subject,
    [actor.kind === "person" ? "Person" : actor.kind === "link" ? "Link" : "Key"]: actor.id,
    Request: actor.requestId,
    Hash: hash,
  };
  return (
    <div className={css["details"]}>
      <dl>
        {Object.entries(facts).map(([name, value]) =>
          value === null ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
      <Side title="Before" side={before} />
      <Side title="After" side={after} />
    </div>
  );
}

interface SideProps {
  readonly title: string;
  readonly side: AuditEntry["before"];
}

function Side({ title, side }: SideProps) {
  if (side === null) return null;
  return (
    <figure>
      <figcaption>{title}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <pre tabIndex={0}>{JSON.stringify(side, null, 2)}</pre>
    </figure>
  );
}
