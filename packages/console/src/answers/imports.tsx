import type { ListedImport } from "@sightline/client";
import { useState } from "react";
import { type Account, useScope } from "../data/account.ts";
import { countOf, countText, dateText } from "../data/format.ts";
import { useChange, useChanged, useManaged } from "../data/managed.ts";
import type { Reply } from "../data/queries.ts";
import { Breakable } from "../parts/breakable.tsx";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog } from "../parts/form-dialog.tsx";
import { Panel } from "../parts/panel.tsx";
import { Missing, Refused } from "../parts/refused.tsx";
import { announce } from "../parts/save.ts";
import { Table } from "../parts/table.tsx";
import { Tag } from "../parts/tag.tsx";
import { ImportDrop } from "./import-drop.tsx";
import css from "./imports.module.css";

/** What was imported, a way to import more, and a way to take imports back. */
export function Imports() {
  const mayImport = useScope("import");
  const mayUndo = useScope("manage");
  const imports = useImports(mayImport);
  const [undone, setUndone] = useState<ListedImport | null>(null);
  return (
    <>
      {mayImport ? (
        <ImportDrop />
      ) : (
        <Missing scope="import" what="Importing answers and listing imports" />
      )}
      {mayImport && !mayUndo ? <Missing scope="manage" what="Undoing an import" /> : null}
      {mayImport ? (
        <Panel
          title="Imports"
          query={imports}
          flush
          emptyOf={(list) => (list.length === 0 ? empty : null)}
          partialOf={(list) =>
            list.length === listedMax ? "Older imports are not listed: these are the latest." : null
          }
        >
          {(list) => <ImportTable list={list} onUndo={mayUndo ? setUndone : null} />}
        </Panel>
      ) : null}
      {undone === null ? null : <UndoDialog item={undone} onClose={() => setUndone(null)} />}
    </>
  );
}

/** The imports, newest first; not asked for without the scope `import`. */
function useImports(enabled: boolean): Reply<readonly ListedImport[]> {
  const ask = ({ client }: Account, signal: AbortSignal) => client.imports.list({ signal });
  return useManaged({ name: "imports", ask, enabled });
}

/** As many as the service lists. */
const listedMax = 1_000;

const empty = {
  title: "No imports yet",
  text: "Each imported file is listed here and can be undone as a whole.",
};

interface ImportTableProps {
  readonly list: readonly ListedImport[];
  readonly onUndo: ((item: ListedImport) => void) | null;
}

function ImportTable({ list, onUndo }: ImportTableProps) {
  return (
    <Table
      caption="Imports, newest first"
      rows={list}
      keyOf={({ id }) => id}
      columns={[
        {
          key: "at",
          title: "Started (UTC)",
          cell: ({ startedAt }) => dateText(startedAt, "instant").replace(" UTC", ""),
        },
        {
          key: "source",
          main: true,
          title: "From",
          cell: (each) => <Origin item={each} />,
        },
        {
          key: "accepted",
          title: "Accepted",
          figure: true,
          drops: 3,
          cell: (each) => countText(each.accepted),
        },
        {
          key: "duplicates",
          title: "Duplicates",
          figure: true,
          drops: 1,
          explained: "duplicates",
          cell: (each) => countText(each.duplicates),
        },
        {
          key: "rejected",
          title: "Rejected",
          figure: true,
          drops: 2,
          explained: "rejected",
          cell: (each) => countText(each.rejected),
        },
        {
          key: "undo",
          title: <span className="visually-hidden">Undo</span>,
          figure: true,
          cell: (item) =>
            item.undoneAt !== null ? (
              <Tag>undone {dateText(item.undoneAt)}</Tag>
            ) : onUndo === null || item.accepted === 0 ? null : (
              <Button onClick={() => onUndo(item)}>Undo</Button>
            ),
        },
      ]}
    />
  );
}

/** Where an import came from, and that it did not come to its end. */
function Origin({ item }: { readonly item: ListedImport }) {
  return (
    <>
      <Breakable text={nameOf(item)} />
      {item.state === "incomplete" ? (
        <div className={css["brokenOff"]}>
          <Tag kind="doubt">broke off</Tag> Import the file again: the rest is added.
        </div>
      ) : item.state === "running" ? (
        <div className={css["brokenOff"]}>
          <Tag>running</Tag>
        </div>
      ) : null}
    </>
  );
}

const nameOf = ({ source }: ListedImport): string => (source === "http" ? "over HTTP" : source);

interface UndoDialogProps {
  readonly item: ListedImport;
  readonly onClose: () => void;
}

function UndoDialog({ item, onClose }: UndoDialogProps) {
  const changed = useChanged();
  const { failure, run } = useChange(async ({ client }) => {
    const { deleted } = await client.imports.undo(item.id);
    announce(`${countOf(deleted, "answer")} removed.`);
    changed();
    onClose();
  });
  return (
    <ConfirmDialog
      title={`Undo the import of ${nameOf(item)}?`}
      action={`Remove ${countOf(item.accepted, "answer")}`}
      onConfirm={run}
      onClose={onClose}
    >
      <p>
        It began at {dateText(item.startedAt, "instant")}. All answers that it recorded are removed
        for good, with their texts. To have them again, import the file again.
      </p>
      <p className="quiet">
        Pages keep the previous numbers until the remaining answers are recounted.
      </p>
      <Refused error={failure} />
    </ConfirmDialog>
  );
}
