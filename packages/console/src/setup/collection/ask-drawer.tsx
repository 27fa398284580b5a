import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useAccount } from "../../data/account.ts";
import { countOf } from "../../data/format.ts";
import { repliesOf } from "../../data/queries.ts";
import { changeOwn } from "../../data/use-view.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { announce } from "../../parts/save.ts";
import { useWorkspaceFile } from "../queries.ts";
import { Refused } from "../refused.tsx";
import { useChange } from "../use-change.ts";
import { type AskChoice, askableOf, plainChoice, requestOf } from "./ask-choice.ts";
import { AskForm } from "./ask-form.tsx";
import css from "./collection.module.css";
import { EstimatePanel } from "./estimate-panel.tsx";
import { collectionsName, useEstimate } from "./use-collections.ts";

interface AskDrawerProps {
  readonly onClose: () => void;
}

/** What to ask now, what that costs, and the button that has it asked. */
export function AskDrawer({ onClose }: AskDrawerProps) {
  const [choice, setChoice] = useState<AskChoice>(plainChoice);
  const { data: workspace } = useWorkspaceFile();
  const estimate = useEstimate(requestOf(choice));
  const { failure, isRunning, run, forget } = useStart(choice);
  const { data } = estimate;
  const jobs = data?.kind === "estimate" ? askableOf(data.estimate).jobs : 0;
  const isReady = !estimate.isPlaceholderData && estimate.error === null && jobs > 0;
  return (
    <Dialog
      title="Ask now"
      about="See what it costs first: nothing is asked until you press the button below."
      onClose={onClose}
      drawer
      foot={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" disabled={!isReady || isRunning} onClick={() => void run()}>
            {jobs === 0 ? "Ask" : `Ask ${countOf(jobs, "question")}`}
          </Button>
        </>
      }
    >
      <div className={css["ask"]}>
        <AskForm
          file={workspace?.file}
          choice={choice}
          onChange={(next) => {
            forget();
            setChoice(next);
          }}
        />
        <EstimatePanel
          {...{ choice, estimate }}
          file={workspace?.file}
          onClear={() => setChoice(plainChoice)}
        />
        <Refused error={failure} />
      </div>
    </Dialog>
  );
}

/** Has the choice asked. Even a call that failed may have arrived, so the sweeps are read again. */
function useStart(choice: AskChoice) {
  const account = useAccount();
  const queries = useQueryClient();
  return useChange(async ({ client }) => {
    try {
      const { id, jobs } = await client.collections.start(requestOf(choice));
      announce(`Asking ${countOf(jobs, "question")}.`);
      changeOwn({ ask: "", open: id ?? "" });
    } finally {
      void queries.invalidateQueries({ queryKey: repliesOf(account, collectionsName) });
    }
  });
}
