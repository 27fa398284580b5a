import type { CreatedHookResponse, HookEvent, HookForm, HookRequest } from "@sightline/client";
import { useState } from "react";
import { useChange } from "../data/managed.ts";
import { ChoiceField } from "../parts/choice-field.tsx";
import { CheckField, CheckGroup, Field, inputClass } from "../parts/fields.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { Refused } from "../parts/refused.tsx";
import { formTexts } from "./form-texts.ts";
import { ThresholdFields, type TypedThreshold, thresholdOf } from "./threshold-fields.tsx";

interface HookDialogProps {
  readonly onCreated: (hook: CreatedHookResponse) => void;
  readonly onClose: () => void;
}

const forms = Object.entries(formTexts).map(
  ([form, { title }]) => [form as HookForm, title] as const,
);

/** Events that are asked for by a tick; a threshold asks for its own. */
const eventTexts = [
  ["digest", "how the week was, once a week"],
  ["moved", "a value that moved, when it did"],
  ["collection-failed", "a provider that gave no answer in three sweeps"],
  ["report-made", "a report that was made"],
] as const satisfies readonly (readonly [HookEvent, string])[];

/** A new webhook: where events go, as what, and which. */
export function HookDialog({ onCreated, onClose }: HookDialogProps) {
  const [form, setForm] = useState<HookForm>("json");
  const [address, setAddress] = useState("");
  const [name, setName] = useState("");
  const [events, setEvents] = useState<readonly HookEvent[]>(eventTexts.map(([event]) => event));
  const [rows, setRows] = useState<readonly TypedThreshold[]>([]);
  const thresholds = rows.map(thresholdOf);
  const asked = thresholds.length > 0 ? [...events, "threshold-crossed" as const] : events;
  const { failure, isRunning, run } = useChange(async ({ client }) => {
    const request = {
      url: urlOf(form, address),
      form,
      name: name.trim(),
      events: [...asked],
      thresholds: thresholds.filter((each) => each !== null),
    } satisfies HookRequest;
    onCreated(await client.hooks.create(request));
  });
  const isFilled = address.trim() !== "" && asked.length > 0 && !thresholds.includes(null);
  return (
    <FormDialog
      title="Add a webhook"
      action="Add"
      isReady={!isRunning && isFilled}
      onSubmit={() => void run()}
      onClose={onClose}
    >
      <ChoiceField label="Send as" value={form} options={forms} onChange={setForm} />
      <AddressField form={form} value={address} onChange={setAddress} />
      <Field label="Name" hint="What it is for.">
        {(field) => (
          <input
            {...field}
            className={inputClass}
            maxLength={500}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <CheckGroup title="Events">
        {eventTexts.map(([event, text]) => (
          <CheckField
            key={event}
            checked={events.includes(event)}
            onChange={(checked) => {
              const others = events.filter((each) => each !== event);
              setEvents(checked ? [...others, event] : others);
            }}
          >
            <strong>{event}</strong>: {text}
          </CheckField>
        ))}
      </CheckGroup>
      <ThresholdFields rows={rows} onChange={setRows} />
      <Refused error={failure} />
    </FormDialog>
  );
}

interface AddressFieldProps {
  readonly form: HookForm;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

function AddressField({ form, value, onChange }: AddressFieldProps) {
  const { hint, placeholder } = formTexts[form];
  const isMail = form === "mail";
  return (
    <Field label={isMail ? "Mail addresses" : "Address"} hint={hint}>
      {(field) => (
        <input
          {...field}
          className={inputClass}
          type={isMail ? "text" : "url"}
          maxLength={2_048}
          placeholder={placeholder}
          // biome-ignore lint/a11y/noAutofocus: the dialog was opened to fill this in
          autoFocus
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

/** Of mails, the address that names the mailboxes; what is typed with it already stays. */
function urlOf(form: HookForm, address: string): string {
  const given = address.trim();
  if (form !== "mail" || /^mailto:/i.test(given)) return given;
  const boxes = given.split(/[\s,;]+/).filter((each) => each !== "");
  return `mailto:${boxes.map((box) => encodeURIComponent(box).replaceAll("%40", "@")).join(",")}`;
}
