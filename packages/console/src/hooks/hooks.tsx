import type { CreatedHookResponse, ListedDelivery, ListedHook } from "@sightline/client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Account, useAccount, useScope } from "../data/account.ts";
import { dateText } from "../data/format.ts";
import { noteFailure, useChange, useManaged } from "../data/managed.ts";
import { type Reply, repliesOf } from "../data/queries.ts";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog, SecretDialog } from "../parts/form-dialog.tsx";
import { Panel } from "../parts/panel.tsx";
import { Missing, Refused } from "../parts/refused.tsx";
import { announce } from "../parts/save.ts";
import { type Column, Table } from "../parts/table.tsx";
import { Tag } from "../parts/tag.tsx";
import { Deliveries } from "./deliveries.tsx";
import { formTexts } from "./form-texts.ts";
import { HookDialog } from "./hook-dialog.tsx";
import css from "./hooks.module.css";
import { thresholdText } from "./threshold-fields.tsx";

/** The account's webhooks, and how their deliveries went. */
export function Hooks() {
  const mayManage = useScope("manage");
  const hooks = useHooks(mayManage);
  const { test, refetch, tested } = useHookCalls();
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedHookResponse | null>(null);
  const [opened, setOpened] = useState<ListedHook | null>(null);
  const [deleted, setDeleted] = useState<ListedHook | null>(null);
  if (!mayManage) return <Missing scope="manage" what="Listing and creating webhooks" />;
  return (
    <>
      <Panel
        title="Webhooks"
        query={hooks}
        flush
        tools={
          <Button icon="plus" onClick={() => setCreating(true)}>
            Add webhook
          </Button>
        }
        emptyOf={(list) => (list.length === 0 ? empty : null)}
      >
        {(list) => (
          <Table
            caption="Webhooks"
            rows={list}
            keyOf={({ id }) => id}
            columns={columnsOf({ onTest: test, onOpen: setOpened, onDelete: setDeleted, tested })}
          />
        )}
      </Panel>
      {isCreating ? (
        <HookDialog
          onCreated={(hook) => {
            setCreating(false);
            // Nothing else that is sent is verified by its secret.
            if (hook.form === "json") setCreated(hook);
            refetch();
          }}
          onClose={() => setCreating(false)}
        />
      ) : null}
      {created === null ? null : (
        <SecretDialog
          title="The webhook's secret"
          secret={created.secret}
          onClose={() => setCreated(null)}
        />
      )}
      {opened === null ? null : <Deliveries hook={opened} onClose={() => setOpened(null)} />}
      {deleted === null ? null : (
        <DeleteDialog hook={deleted} onDone={refetch} onClose={() => setDeleted(null)} />
      )}
    </>
  );
}

/** The webhooks, oldest first; not asked for without the scope `manage`. */
function useHooks(enabled: boolean): Reply<readonly ListedHook[]> {
  const ask = ({ client }: Account, signal: AbortSignal) => client.hooks.list({ signal });
  return useManaged({ name: "hooks", ask, enabled });
}

const empty = {
  title: "No webhooks yet",
  text:
    "A webhook sends the weekly digest, moved values and crossed thresholds: signed to your " +
    "https address, to Slack, Teams or Discord, or by mail.",
};

/** How the test of a webhook went; by its id. */
type Tested = Readonly<Record<string, ListedDelivery | Error | "running">>;

function useHookCalls() {
  const account = useAccount();
  const queries = useQueryClient();
  const [tested, setTested] = useState<Tested>({});
  const refetch = () => void queries.invalidateQueries({ queryKey: repliesOf(account, "hooks") });
  const test = async ({ id }: ListedHook): Promise<void> => {
    const note = (state: Tested[string]) => setTested((before) => ({ ...before, [id]: state }));
    note("running");
    try {
      note(await account.client.hooks.test(id));
      refetch(); // a test that succeeds makes a webhook active again
    } catch (error) {
      note(noteFailure(queries, account, error));
    }
  };
  return { test, refetch, tested };
}

/** Mailboxes are read by their addresses, and not by what makes a URL of them. */
function addressText(url: string): string {
  if (!url.startsWith("mailto:")) return url;
  return url.slice("mailto:".length).split(",").map(decodeURIComponent).join(", ");
}

interface HookColumns {
  readonly onTest: (hook: ListedHook) => Promise<void>;
  readonly onOpen: (hook: ListedHook) => void;
  readonly onDelete: (hook: ListedHook) => void;
  readonly tested: Tested;
}

function columnsOf(props: HookColumns): readonly Column<ListedHook>[] {
  const { onTest, onOpen, onDelete, tested } = props;
  return [
    {
      key: "url",
      title: "Address",
      cell: ({ url, form, name, createdBy, id }) => (
        <>
          <div className={css["address"]}>{addressText(url)}</div>
          {form === "json" ? null : (
            <div className="small quiet">{formTexts[form]?.title ?? form}</div>
          )}
          <div className="small quiet">{name}</div>
          {createdBy === null ? null : (
            <div className="small quiet">by {createdBy || "a key without a name"}</div>
          )}
          <TestOutcome outcome={tested[id]} />
        </>
      ),
    },
    {
      key: "events",
      title: "Events",
      drops: 1,
      cell: ({ events, thresholds }) => (
        <>
          {events.join(", ")}
          {thresholds.map((threshold, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a webhook never changes
            <div key={place} className="small quiet">
              {thresholdText(threshold)}
            </div>
          ))}
        </>
      ),
    },
    {
      key: "state",
      title: "State",
      cell: ({ disabledAt }) =>
        disabledAt === null ? (
          <Tag kind="better">active</Tag>
        ) : (
          <Tag kind="doubt">off since {dateText(disabledAt)}</Tag>
        ),
    },
    {
      key: "do",
      title: <span className="visually-hidden">Actions</span>,
      figure: true,
      cell: (hook) => (
        <span className={css["acts"]}>
          <Button disabled={tested[hook.id] === "running"} onClick={() => void onTest(hook)}>
            Send test
          </Button>
          <Button onClick={() => onOpen(hook)}>Deliveries</Button>
          <Button
            aria-label={`Delete ${hook.name || addressText(hook.url)}`}
            onClick={() => onDelete(hook)}
          >
            Delete
          </Button>
        </span>
      ),
    },
  ];
}

function TestOutcome({ outcome }: { readonly outcome: Tested[string] | undefined }) {
  if (outcome === undefined) return null;
  if (outcome === "running") return <div className="small quiet">Sending …</div>;
  if (outcome instanceof Error) {
    return (
      <div role="alert" className={css["bad"]}>
        {outcome.message}
      </div>
    );
  }
  const last = outcome.attempts.at(-1);
  const isDelivered = outcome.state === "delivered";
  return (
    <div role="status" className={isDelivered ? css["good"] : css["bad"]}>
      {isDelivered ? "Test received" : `Test failed: ${last?.error ?? "no reply"}`}
      {last === undefined ? "" : ` · ${last.status ?? "no status"} · ${last.durationMs} ms`}
    </div>
  );
}

interface DeleteDialogProps {
  readonly hook: ListedHook;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function DeleteDialog({ hook, onDone, onClose }: DeleteDialogProps) {
  const { failure, run } = useChange(async ({ client }) => {
    await client.hooks.delete(hook.id);
    announce("Deleted.");
    onDone();
    onClose();
  });
  return (
    <ConfirmDialog title="Delete this webhook?" action="Delete" onConfirm={run} onClose={onClose}>
      <p className={css["address"]}>{addressText(hook.url)}</p>
      <p className="quiet">No more events are sent to it, and its delivery log is deleted.</p>
      <Refused error={failure} />
    </ConfirmDialog>
  );
}
