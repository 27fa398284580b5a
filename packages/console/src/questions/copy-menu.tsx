import { fetched } from "../data/later.ts";
import { IconButton } from "../parts/button.tsx";
import { Menu } from "../parts/popover.tsx";
import { told } from "../parts/save.ts";
import type { CopiedQuestion } from "./copy-question.ts";

interface CopyMenuProps {
  readonly question: CopiedQuestion;
  /** The button's, where a page has several: what is copied. */
  readonly label?: string;
}

/** Copies what a list asks, in the forms in which somebody else can ask it. */
export function CopyMenu({ question, label = "Copy as" }: CopyMenuProps) {
  // Loaded when it is used: nothing waits for it before.
  const copy = (form: "curl" | "sdk" | "command") =>
    told(fetched(() => import("./copy-question.ts")).then((it) => it.copyQuestion(question, form)));
  return (
    <Menu
      label="Export or copy the list"
      trigger={({ ref, ...props }) => <IconButton label={label} icon="copy" ref={ref} {...props} />}
      groups={[
        [
          { text: "Copy as curl", onSelect: () => copy("curl") },
          { text: "Copy as TypeScript", onSelect: () => copy("sdk") },
          { text: "Copy as command", onSelect: () => copy("command") },
        ],
      ]}
    />
  );
}
