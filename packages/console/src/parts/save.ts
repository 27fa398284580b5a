import { faultText } from "../data/fault-text.ts";

/** Gives a file to the browser to save. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser takes the content when it is ready to; a minute is more than it needs.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Puts a text into the clipboard. */
export async function copyText(text: string): Promise<void> {
  const isCopied = isSecureContext ? await isWritten(text) : copySelected(text);
  announce(isCopied ? "Copied." : "The browser did not allow copying.");
}

async function isWritten(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Pages over http of another machine have no clipboard of their own; what is selected can be copied
 * as by Ctrl C.
 */
function copySelected(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.className = "visually-hidden";
  field.value = text;
  // Behind an open dialog nothing can be selected.
  (before?.closest("dialog") ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
}

/** Says what went wrong with something that a click began and nothing else shows. */
export function told(work: Promise<unknown>): void {
  work.catch((error: unknown) => announce(faultText(error)));
}

/** How long a notice stands. */
const noticeMs = 3_000;

/** Says something for a moment at the foot of the window; screen readers say it too. */
export function announce(text: string): void {
  const notice = document.createElement("div");
  notice.setAttribute("role", "status");
  notice.className = "notice";
  // What lies behind an open dialog is not read aloud; one that shuts now is gone in a moment.
  requestAnimationFrame(() => {
    const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
    (dialog ?? document.body).append(notice);
    // An element that is already there when its text changes is read aloud.
    requestAnimationFrame(() => {
      notice.textContent = text;
    });
    setTimeout(() => notice.remove(), noticeMs);
  });
}
