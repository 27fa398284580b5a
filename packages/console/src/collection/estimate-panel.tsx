import type { DeclaredWorkspaceResponse } from "@sightline/client";
import type { Reply } from "../data/queries.ts";
import { changeOwn } from "../data/use-view.ts";
import { Button } from "../parts/button.tsx";
import { type Empty, Panel } from "../parts/panel.tsx";
import { Refused } from "../parts/refused.tsx";
import { type AskChoice, namesProviders } from "./ask-choice.ts";
import { Estimate } from "./estimate.tsx";
import { GuideLink } from "./guide-link.tsx";
import type { Estimated } from "./queries.ts";

interface EstimatePanelProps {
  readonly file: DeclaredWorkspaceResponse | undefined;
  readonly choice: AskChoice;
  readonly estimate: Reply<Estimated>;
  /** Takes the choice back. */
  readonly onClear: () => void;
}

/** What it would ask and cost; which nothing there is to ask; or why the service refuses it. */
export function EstimatePanel(props: EstimatePanelProps) {
  const { estimate } = props;
  return (
    <Panel
      title="What it costs"
      query={estimate}
      minHeight={280}
      flush
      emptyOf={(data) =>
        data.kind === "estimate" && data.estimate.jobs === 0 ? nothingToAsk(props) : null
      }
    >
      {(data) =>
        data.kind === "refused" ? (
          <Refused error={data.error} />
        ) : (
          <Estimate estimate={data.estimate} />
        )
      }
    </Panel>
  );
}

/** Which nothing there is to ask, and what to do about it. */
function nothingToAsk({ file, choice, onClear }: EstimatePanelProps): Empty {
  if (file?.prompts.every(({ paused }) => paused) === true) {
    return {
      title: file.prompts.length === 0 ? "No prompts yet" : "Every prompt is paused",
      text: "Prompts are the questions that providers are asked.",
      actions: (
        <Button kind="primary" onClick={() => changeOwn({ ask: "", tab: "prompts" })}>
          {file.prompts.length === 0 ? "Add prompts" : "Go to prompts"}
        </Button>
      ),
    };
  }
  if (file !== undefined && choice.providers.length === 0 && !namesProviders(file)) {
    return {
      title: "Nobody is declared to be asked",
      text:
        "Choose providers above, to ask them now. To have them asked by a schedule, say so with " +
        "“collection” in the workspace file.",
      actions: <GuideLink at="#a-first-sweep" text="How it is declared" />,
    };
  }
  return {
    title: "Nothing to ask",
    text: "No prompt of this choice is asked: it is paused, or no provider is declared for it.",
    actions: <Button onClick={onClear}>All that is declared</Button>,
  };
}
