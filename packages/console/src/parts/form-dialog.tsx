import { type ReactNode, useId } from "react";
import css from "../setup/setup.module.css";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

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
