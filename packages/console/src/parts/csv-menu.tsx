import { Button } from "./button.tsx";
import type { CsvForm } from "./csv.ts";
import { Menu } from "./popover.tsx";

/** What the two forms of a CSV file are called in menus. */
export const csvTexts: Readonly<Record<CsvForm, string>> = {
  plain: "CSV",
  excel: "CSV for Excel (; and decimal comma)",
};

/** The forms in the order of menus. */
export const csvForms = ["plain", "excel"] as const;

interface CsvMenuProps {
  readonly onSave: (form: CsvForm) => void;
  readonly disabled?: boolean;
}

/** A button that saves a list, in the form that its reader's program needs. */
export function CsvMenu({ onSave, disabled = false }: CsvMenuProps) {
  return (
    <Menu
      label="Save the list"
      trigger={(props) => (
        <Button icon="download" disabled={disabled} {...props}>
          CSV
        </Button>
      )}
      groups={[csvForms.map((form) => ({ text: csvTexts[form], onSelect: () => onSave(form) }))]}
    />
  );
}
