import type { ListedCollection } from "@sightline/client";
import { useQueryClient } from "@tanstack/react-query";
import { useAccount } from "../data/account.ts";
import { countOf } from "../data/format.ts";
import { repliesOf } from "../data/queries.ts";
import { useChange } from "../data/use-change.ts";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { Refused } from "../parts/refused.tsx";
import { announce } from "../parts/save.ts";
import { collectionsName } from "./queries.ts";
import { slotText } from "./sweep-state.ts";

interface CancelDialogProps {
  readonly sweep: ListedCollection;
  readonly onClose: () => void;
}

/** Asks before the rest of a sweep is given up. */
export function CancelDialog({ sweep, onClose }: CancelDialogProps) {
  const account = useAccount();
  const queries = useQueryClient();
  const { failure, run } = useChange(async ({ client }) => {
    const { done } = await client.collections.cancel(sweep.id);
    announce(`Cancelled. ${countOf(done, "question")} answered.`);
    void queries.invalidateQueries({ queryKey: repliesOf(account, collectionsName) });
    onClose();
  });
  return (
    <ConfirmDialog
      title="Cancel this sweep?"
      action="Cancel the sweep"
      keep="Keep asking"
      onConfirm={run}
      onClose={onClose}
    >
      <p>
        Nothing more is asked for the sweep of {slotText(sweep)} UTC. What is under way ends, and
        may still cost; what was answered counts.
      </p>
      <Refused error={failure} />
    </ConfirmDialog>
  );
}
