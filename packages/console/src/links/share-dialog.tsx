import type { CreatedLinkResponse, LinkKind } from "@sightline/client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useAccount } from "../data/account.ts";
import { useChange } from "../data/managed.ts";
import { repliesOf } from "../data/queries.ts";
import { ChoiceField } from "../parts/choice-field.tsx";
import { CheckField, CheckGroup, Field, inputClass } from "../parts/fields.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { Refused } from "../parts/refused.tsx";
import { CreatedLink } from "./created-link.tsx";
import type { Shared } from "./link-view.ts";

interface ShareDialogProps {
  readonly shared: Shared;
  readonly onClose: () => void;
}

const kindTexts: Readonly<Record<LinkKind, string>> = {
  view: "A page for people",
  csv: "A table for spreadsheets (CSV)",
  image: "A picture for another page (SVG)",
  report: "A report that was made",
};

const validities = [
  ["90d", "90 days"],
  ["7d", "7 days"],
  ["30d", "30 days"],
  ["365d", "365 days"],
  ["", "Until it is revoked"],
] as const;

const nameCharactersMax = 200;
const passwordCharacters = { min: 8, max: 200 } as const;

/** A new share link; then its address, this once. */
export function ShareDialog({ shared, onClose }: ShareDialogProps) {
  const { kinds } = shared;
  const account = useAccount();
  const queries = useQueryClient();
  const [name, setName] = useState(shared.name);
  const [kind, setKind] = useState<LinkKind>(kinds[0]);
  const [expiresIn, setExpiresIn] = useState("90d");
  const [password, setPassword] = useState("");
  const [showsEvidence, setShowsEvidence] = useState(false);
  const [created, setCreated] = useState<CreatedLinkResponse | null>(null);
  const hasEvidence = kind === "view";
  const isPage = kind === "view" || kind === "report";
  const { failure, isRunning, run } = useChange(async ({ client }) => {
    const link = await client.links.create({
      name: name.trim(),
      kind,
      expiresIn: expiresIn || null,
      ...shared.shownBy(kind),
      ...(hasEvidence && showsEvidence ? { showsEvidence } : {}),
      ...(isPage && password !== "" ? { password } : {}),
    });
    setCreated(link);
    void queries.invalidateQueries({ queryKey: repliesOf(account, "links") });
  });
  if (created !== null) return <CreatedLink link={created} onClose={onClose} />;
  const fault =
    password !== "" && password.length < passwordCharacters.min
      ? `At least ${passwordCharacters.min} characters.`
      : null;
  return (
    <FormDialog
      title={shared.title}
      action="Create link"
      isReady={!isRunning && name.trim() !== "" && (!isPage || fault === null)}
      onSubmit={() => void run()}
      // While the link is made, nobody else will ever be told of its address.
      onClose={() => (isRunning ? undefined : onClose())}
    >
      <p>{shared.text}</p>
      <Field label="Name" hint={shared.nameHint}>
        {(field) => (
          <input
            {...field}
            className={inputClass}
            maxLength={nameCharactersMax}
            required
            // biome-ignore lint/a11y/noAutofocus: the dialog was opened to fill this in
            autoFocus
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      {kinds.length === 1 ? null : (
        <ChoiceField
          label="What it gives"
          value={kind}
          options={kinds.map((each) => [each, kindTexts[each]])}
          onChange={setKind}
        />
      )}
      <ChoiceField label="Valid" value={expiresIn} options={validities} onChange={setExpiresIn} />
      {isPage ? (
        <Field label="Password" hint="Empty: none is asked for." fault={fault}>
          {(field) => (
            <input
              {...field}
              className={inputClass}
              type="text"
              autoComplete="off"
              maxLength={passwordCharacters.max}
              value={password}
              onChange={({ target }) => setPassword(target.value)}
            />
          )}
        </Field>
      ) : null}
      {hasEvidence ? (
        <CheckGroup title="Evidence">
          <CheckField checked={showsEvidence} onChange={setShowsEvidence}>
            Words of answers are shown, too
          </CheckField>
        </CheckGroup>
      ) : null}
      <Refused error={failure} />
    </FormDialog>
  );
}
