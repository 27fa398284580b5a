import type { WorkspaceResponse } from "@sightline/client";
import { useAccount, useScope } from "../data/account.ts";
import { countOf } from "../data/format.ts";
import { changeView } from "../data/use-view.ts";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import css from "./first-steps.module.css";

interface Step {
  readonly title: string;
  readonly text: string;
  readonly isDone: boolean;
  /** The tab of Setup where it is done. */
  readonly tab: string;
  readonly action: string;
}

/** What an account without answers needs, step by step, in place of empty panels. */
export function FirstSteps({ workspace }: { readonly workspace: WorkspaceResponse }) {
  const { session } = useAccount();
  const mayManage = useScope("manage");
  const mayImport = useScope("import");
  const mayAll = session === null || (mayManage && mayImport);
  return (
    <>
      <p className="quiet">
        No answers have been recorded for {workspace.brand.name} yet. Four steps, and this page
        shows how it stands.
      </p>
      <ol className={css["steps"]}>
        {stepsOf(workspace).map((step, index) => (
          <li key={step.title} className={`${css["step"]} ${step.isDone ? css["done"] : ""}`}>
            <h2>
              <span className={css["number"]}>
                {step.isDone ? <Icon name="check" /> : index + 1}
              </span>
              {step.title}
              {step.isDone ? <span className="visually-hidden">, done</span> : null}
            </h2>
            <p>{step.text}</p>
            <Button onClick={() => changeView({ page: "setup", own: { tab: step.tab } })}>
              {step.action}
            </Button>
          </li>
        ))}
      </ol>
      {mayAll ? null : (
        <p className="small quiet">
          The key that you signed in with may not do all of this: it needs the scopes manage and
          import.
        </p>
      )}
    </>
  );
}

function stepsOf({ brand, competitors, prompts, answers }: WorkspaceResponse): readonly Step[] {
  return [
    {
      title: "Name the brand",
      text: `${brand.name} is tracked. Add the names and domains by which answers know it.`,
      isDone: true,
      ...{ tab: "brand", action: "Edit the brand" },
    },
    {
      title: "Name competitors",
      text:
        competitors.length > 0
          ? `${countOf(competitors.length, "competitor")} so far.`
          : "Every number says more beside theirs.",
      isDone: competitors.length > 0,
      ...{ tab: "brand", action: "Add competitors" },
    },
    {
      title: "Write prompts",
      text:
        prompts.length > 0
          ? `${countOf(prompts.length, "prompt")} so far. Fifty or more make numbers firm.`
          : "What people ask assistants before they buy. Fifty or more make numbers firm.",
      isDone: prompts.length > 0,
      ...{ tab: "prompts", action: "Add prompts" },
    },
    {
      title: "Import answers",
      text: "Drop a file of what assistants answered. To look around first: sightline demo.",
      isDone: answers.count > 0,
      ...{ tab: "imports", action: "Import answers" },
    },
  ];
}
