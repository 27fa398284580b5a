import { Suspense, useState } from "react";
import { useScope } from "../data/account.ts";
import { later } from "../data/later.ts";
import type { ViewQuestion } from "../data/use-question.ts";
import { Button } from "../parts/button.tsx";
import { sharedView } from "./link-view.ts";
import css from "./links.module.css";

const ShareDialog = later(async () => (await import("./share-dialog.tsx")).ShareDialog);

interface ShareButtonProps {
  readonly question: ViewQuestion;
}

/** Makes an address of the view that is shown, for people without a key. */
export function ShareButton({ question }: ShareButtonProps) {
  const mayManage = useScope("manage");
  const [isOpen, setOpen] = useState(false);
  const shared = sharedView(question, question.workspace.brand.name);
  if (!mayManage || shared === null) return null;
  return (
    <div className={css["share"]}>
      <Button icon="out" onClick={() => setOpen(true)}>
        Share
      </Button>
      {isOpen ? (
        <Suspense>
          <ShareDialog shared={shared} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}
