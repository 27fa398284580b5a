import { type ReactNode, useEffect, useId, useState } from "react";
import { askBeforeLeaving } from "../data/leaving.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import css from "./form-dialog.module.css";
import refused from "./refused.module.css";
import { copyText } from "./save.ts";

interface FormDialogProps {
  readonly title: string;
  /** What the form's button does, in words. */
  readonly action: string;
  /** The form may be sent as it is. */
  readonly isReady: boolean;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  /** At the left of the buttons. */
  readonly apart?: ReactNode;
  readonly children: ReactNode;
}

/** A form in a dialog: Enter sends it, Escape leaves it. */
export function FormDialog(props: FormDialogProps) {
  const { title, action, isReady, onSubmit, onClose, apart, children } = props;
  const form = useId();
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        <>
          {apart}
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={form} disabled={!isReady}>
            {action}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className={css["form"]}
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) onSubmit();
        }}
      >
        {children}
      </form>
    </Dialog>
  );
}

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

interface KeptDialogProps {
  readonly title: string;
  /** What to do with it, where that is not to store it. */
  readonly intro?: string;
  /** What is shown, and the buttons with which it is kept. */
  readonly children: ReactNode;
  /** "them": there are several secrets. */
  readonly those?: "it" | "them";
  readonly onClose: () => void;
}

/** Secrets, this once: the service keeps their hashes alone. Closing asks whether they are kept. */
export function KeptDialog({ title, intro, children, those = "it", onClose }: KeptDialogProps) {
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    askBeforeLeaving("secret", true);
    return () => askBeforeLeaving("secret", false);
  }, []);
  const [be, others] = those === "it" ? ["it is", "another one"] : ["they are", "others"];
  return (
    <Dialog
      title={title}
      onClose={() => setAsked(true)}
      foot={
        <>
          {isAsked ? (
            <Button kind="danger" onClick={onClose}>
              Close without {those}
            </Button>
          ) : null}
          <Button kind="primary" onClick={onClose}>
            I have kept {those}
          </Button>
        </>
      }
    >
      <div className={css["form"]}>
        <p>{intro ?? `Store ${those} in a safe place now: ${be} shown only once.`}</p>
        {isAsked ? (
          <p className={refused["refused"]} role="alert">
            Have you kept {those}? Once this closes, {be} gone: {others} would have to be created.
          </p>
        ) : null}
        {children}
      </div>
    </Dialog>
  );
}

interface SecretDialogProps extends Pick<KeptDialogProps, "intro"> {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** One secret, this once. */
export function SecretDialog({ title, secret, onClose, ...intro }: SecretDialogProps) {
  return (
    <KeptDialog title={title} onClose={onClose} {...intro}>
      <div className={css["secret"]}>
        <code data-secret>{secret}</code>
        <Button icon="copy" onClick={() => void copyText(secret)}>
          Copy
        </Button>
      </div>
    </KeptDialog>
  );
}
