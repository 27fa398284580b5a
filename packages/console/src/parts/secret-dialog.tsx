import { useState } from "react";
import css from "../setup/setup.module.css";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { copyText } from "./save.ts";

interface SecretDialogProps {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** A secret, this once: the service keeps its hash alone. */
export function SecretDialog({ title, secret, onClose }: SecretDialogProps) {
  const [isAsked, setAsked] = useState(false);
  return (
    <Dialog
      title={title}
      onClose={() => setAsked(true)}
      foot={
        <>
          {isAsked ? (
            <Button kind="danger" onClick={onClose}>
              Close without it
            </Button>
          ) : null}
          <Button kind="primary" onClick={onClose}>
            I have kept it
          </Button>
        </>
      }
    >
      <div className={css["form"]}>
        <p>Keep it in a safe place now. It is shown this once, and nobody can show it again.</p>
        {isAsked ? (
          <p className={css["refused"]} role="alert">
            Have you kept it? Once this closes, it is gone: another one would have to be created.
          </p>
        ) : null}
        <div className={css["secret"]}>
          <code data-secret>{secret}</code>
          <Button icon="copy" onClick={() => void copyText(secret)}>
            Copy
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
