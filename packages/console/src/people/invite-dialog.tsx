import type { CreatedInvitationResponse, Role } from "@sightline/client";
import { useState } from "react";
import { useChange } from "../data/managed.ts";
import { ChoiceField } from "../parts/choice-field.tsx";
import { Field, inputClass } from "../parts/fields.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { Refused } from "../parts/refused.tsx";
import { roleNames, roleTexts } from "./role-texts.ts";

interface InviteDialogProps {
  readonly onCreated: (invitation: CreatedInvitationResponse) => void;
  readonly onClose: () => void;
}

const validities = [
  ["1d", "1 day"],
  ["7d", "7 days"],
  ["30d", "30 days"],
] as const;

/** A new invitation: for whom, with which role, and for how long. */
export function InviteDialog({ onCreated, onClose }: InviteDialogProps) {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  const [expiresIn, setExpiresIn] = useState("7d");
  const { failure, isRunning, run } = useChange(async ({ client }) => {
    onCreated(await client.people.invite({ email: email.trim(), role, expiresIn }));
  });
  return (
    <FormDialog
      title="Invite a person"
      action="Invite"
      isReady={!isRunning && email.trim() !== ""}
      onSubmit={() => void run()}
      // While it is made, nobody else will ever be told of its address.
      onClose={() => (isRunning ? undefined : onClose())}
    >
      <Field label="E-mail" hint="You get an address, and send it yourself.">
        {(field) => (
          <input
            {...field}
            className={inputClass}
            type="email"
            autoComplete="off"
            maxLength={254}
            placeholder="ann@example.com"
            // biome-ignore lint/a11y/noAutofocus: the dialog was opened to fill this in
            autoFocus
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
        )}
      </Field>
      <ChoiceField
        label="Role"
        hint={`${sentence(roleTexts[role])}.`}
        value={role}
        options={roleNames.map((each) => [each, each])}
        onChange={setRole}
      />
      <ChoiceField label="Valid" value={expiresIn} options={validities} onChange={setExpiresIn} />
      <Refused error={failure} />
    </FormDialog>
  );
}

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
