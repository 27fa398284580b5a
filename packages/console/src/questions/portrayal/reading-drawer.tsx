import { ApiError, type StartedReading } from "@sightline/client";
import { useState } from "react";
import { countOf } from "../../data/format.ts";
import { useChange, useManaged } from "../../data/managed.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { type Empty, Panel } from "../../parts/panel.tsx";
import { Refused } from "../../parts/refused.tsx";
import { announce } from "../../parts/save.ts";
import { type ClaimsFilters, costText, readingSentences } from "./claims-texts.ts";
import css from "./portrayal.module.css";

/** What a reading would ask and cost, or why nothing is read. */
type Estimated = StartedReading | { readonly off: string };

interface ReadingDrawerProps {
  readonly filters: ClaimsFilters;
  readonly onClose: () => void;
  /** @param id the collection that reads. */
  readonly onStarted: (id: string) => void;
}

/** What reading the answers of the period costs, and the button that has them read. */
export function ReadingDrawer({ filters, onClose, onStarted }: ReadingDrawerProps) {
  const estimate = useManaged<Estimated>({
    name: `reading ${JSON.stringify(filters)}`,
    ask: async ({ client }, signal) => {
      try {
        return await client.collections.read({ filters, dryRun: true }, { signal });
      } catch (error) {
        if (error instanceof ApiError && error.code === "collection_off") {
          return { off: error.detail };
        }
        throw error;
      }
    },
  });
  const [isStarted, setStarted] = useState(false);
  const { failure, isRunning, run } = useChange(async ({ client }) => {
    const { id, answers } = await client.collections.read({ filters });
    if (id === null) return;
    setStarted(true);
    announce(`Reading ${countOf(answers, "answer")}.`);
    onStarted(id);
  });
  const { data } = estimate;
  const answers = data === undefined || "off" in data ? 0 : data.answers;
  const isReady = answers > 0 && !isRunning && !isStarted;
  return (
    <Dialog
      title="Have answers read"
      about="Check the cost first: no model is asked until you press the button below."
      onClose={onClose}
      drawer
      foot={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" disabled={!isReady} onClick={() => void run()}>
            {answers === 0 ? "Read" : `Read ${countOf(answers, "answer")}`}
          </Button>
        </>
      }
    >
      <div className={css["page"]}>
        <Panel title="What it costs" query={estimate} minHeight={160} emptyOf={emptyOf}>
          {(found) =>
            "off" in found ? null : (
              <div data-estimate>
                <p className={css["figure"]}>{costText(found)}</p>
                <ul className={css["reader"]}>
                  {readingSentences(found).map((sentence) => (
                    <li key={sentence}>{sentence}</li>
                  ))}
                </ul>
              </div>
            )
          }
        </Panel>
        <Refused error={failure} />
      </div>
    </Dialog>
  );
}

function emptyOf(found: Estimated): Empty | null {
  if ("off" in found) {
    const actions = <GuideToReader />;
    return { title: "No model reads answers here", text: found.off, actions };
  }
  if (found.answers > 0) return null;
  return {
    title: "Nothing to read",
    text: readingSentences(found).at(-1) ?? "",
  };
}

/** The link to how a model is configured. */
export function GuideToReader() {
  return (
    <a
      className={css["guide"]}
      href="/docs/guide/reading-by-a-model#configure-it"
      target="_blank"
      rel="noreferrer"
    >
      How a model is configured
    </a>
  );
}
