import { type ReactNode, useState } from "react";
import css from "../setup/setup.module.css";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

interface ConfirmDialogProps {
  readonly title: string;
  /** What the button does, in words: what cannot be taken back is said twice. */
  readonly action: string;
  /** What the other button says, where "Cancel" could mean either. */
  readonly keep?: string;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, action, keep = "Cancel", onConfirm, onClose, children } = props;
  const [isRunning, setRunning] = useState(false);
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{keep}</Button>
          <Button
            kind="danger"
            disabled={isRunning}
            onClick={() => {
              setRunning(true);
              void onConfirm().finally(() => setRunning(false));
            }}
          >
            {action}
          </Button>
        </>
      }
    >
      <div className={css["form"]}>{children}</div>
    </Dialog>
  );
}
