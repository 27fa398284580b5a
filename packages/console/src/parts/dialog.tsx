import { type ReactNode, useEffect, useId, useRef } from "react";
import { IconButton } from "./button.tsx";
import css from "./dialog.module.css";

interface DialogProps {
  readonly title: ReactNode;
  /** Below the title, smaller. */
  readonly about?: ReactNode;
  /** Asked for by Escape, the cross or a click outside it. Take the dialog away then. */
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Below the content, such as the buttons of a form. */
  readonly foot?: ReactNode;
  /** From the right edge, as high as the window. */
  readonly drawer?: boolean;
}

/** A native modal dialog, open as long as it is drawn; focus returns to where it came from. */
export function Dialog(props: DialogProps) {
  const { title, about, onClose, children, foot, drawer = false } = props;
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const from = document.activeElement;
    element.current?.showModal();
    // React sets no attribute for autoFocus, and the browser would focus the cross.
    const wanted = element.current?.querySelector<HTMLElement>("[data-focus]");
    const title = element.current?.querySelector<HTMLElement>("[data-title]");
    (wanted ?? title)?.focus();
    return () => {
      if (from instanceof HTMLElement) from.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does what a click outside it does
    <dialog
      ref={element}
      className={drawer ? css["drawer"] : css["dialog"]}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        if (event.target === element.current) onClose();
      }}
      onClick={({ target }) => {
        if (target === element.current) onClose();
      }}
    >
      <div className={css["head"]}>
        <div className={css["title"]} tabIndex={-1} data-title>
          <h2 id={titleId}>{title}</h2>
          {about === undefined ? null : <p className={css["about"]}>{about}</p>}
        </div>
        <IconButton label="Close" icon="close" onClick={onClose} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <div className={css["body"]} tabIndex={0} role="region" aria-label="Content">
        {children}
      </div>
      {foot === undefined ? null : <div className={css["foot"]}>{foot}</div>}
    </dialog>
  );
}
