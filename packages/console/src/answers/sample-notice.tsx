import type { WorkspaceResponse } from "@sightline/client";
import { useScope } from "../data/account.ts";
import { countOf } from "../data/format.ts";
import { useChange, useChanged } from "../data/managed.ts";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import css from "../parts/page-notice.module.css";
import { Refused } from "../parts/refused.tsx";
import { announce } from "../parts/save.ts";

interface SampleNoticeProps {
  readonly samples: NonNullable<WorkspaceResponse["answers"]["samples"]>;
}

/** Says on every page that invented answers are counted, as long as they are, and removes them. */
export function SampleNotice({ samples: { count, importIds } }: SampleNoticeProps) {
  const mayUndo = useScope("manage");
  const changed = useChanged();
  const { failure, isRunning, run } = useChange(async ({ client }) => {
    for (const id of importIds) await client.imports.undo(id);
    announce("The sample answers are removed.");
    changed();
  });
  return (
    <aside className={css["notice"]} aria-label="Sample answers">
      <Icon name="warn" />
      <p>
        <strong>These numbers include {countOf(count, "sample answer")}.</strong> They are invented,
        to look around, and say nothing about anybody.
        {mayUndo ? null : " A key with the scope manage can remove them."}
      </p>
      {mayUndo ? (
        <Button disabled={isRunning} onClick={() => void run()}>
          {isRunning ? "Removing …" : "Remove them"}
        </Button>
      ) : null}
      <Refused error={failure} />
    </aside>
  );
}
