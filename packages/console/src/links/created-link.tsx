import type { CreatedLinkResponse, LinkKind } from "@sightline/client";
import { Button } from "../parts/button.tsx";
import { KeptDialog } from "../parts/form-dialog.tsx";
import { copyText } from "../parts/save.ts";
import css from "./links.module.css";

interface CreatedLinkProps {
  readonly link: CreatedLinkResponse;
  readonly onClose: () => void;
}

/** How an address is used where it is not opened; null: it is opened. */
const usedAs: Readonly<
  Record<
    LinkKind,
    { readonly where: string; readonly text: (address: string, name: string) => string } | null
  >
> = {
  view: null,
  csv: { where: "In Google Sheets", text: (address) => `=IMPORTDATA("${address}")` },
  image: {
    where: "In a page",
    text: (address, name) => `<img src="${address}" alt="${attribute(name)}">`,
  },
  report: null,
};

/** A text as the value of an attribute of HTML. */
function attribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

/** The address of a new link, this once. */
export function CreatedLink({ link, onClose }: CreatedLinkProps) {
  // A service that does not know where it is reached gives the path alone.
  const address = new URL(link.address, location.origin).href;
  const use = usedAs[link.kind];
  return (
    <KeptDialog title={`The link ${link.name}`} onClose={onClose}>
      <Copied text={address} label="Copy" isSecret />
      {use === null ? null : (
        <div>
          <p>{use.where}:</p>
          <Copied
            text={use.text(address, link.name)}
            label={`Copy for use ${use.where.toLowerCase()}`}
          />
        </div>
      )}
    </KeptDialog>
  );
}

interface CopiedProps {
  readonly text: string;
  readonly label: string;
  readonly isSecret?: boolean;
}

function Copied({ text, label, isSecret = false }: CopiedProps) {
  return (
    <div className={css["copied"]}>
      <code {...(isSecret ? { "data-secret": true } : {})}>{text}</code>
      <Button icon="copy" aria-label={label} onClick={() => void copyText(text)}>
        Copy
      </Button>
    </div>
  );
}
