import type { CreatedHookResponse } from "@sightline/client";
import { useState } from "react";
import { useChange } from "../data/managed.ts";
import { CheckField, CheckGroup, Field, inputClass } from "../parts/fields.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { Refused } from "../parts/refused.tsx";

interface HookDialogProps {
  readonly onCreated: (hook: CreatedHookResponse) => void;
  readonly onClose: () => void;
}

const eventTexts = [
  ["digest", "how the week was, once a week"],
  ["moved", "a value that moved, when it did"],
  ["collection-failed", "a provider that gave no answer in three sweeps"],
] as const;

type HookEvent = (typeof eventTexts)[number][0];

/** A new webhook: where events go, and which. */
export function HookDialog({ onCreated, onClose }: HookDialogProps) {
  const [url, setUrl] = useState("");
  const [name, setName] = useState("");
  const [events, setEvents] = useState<readonly HookEvent[]>(eventTexts.map(([event]) => event));
  const { failure, isRunning, run } = useChange(async ({ client }) => {
    const request = { url: url.trim(), name: name.trim(), events: [...events] };
    onCreated(await client.hooks.create(request));
  });
  return (
    <FormDialog
      title="Add a webhook"
      action="Add"
      isReady={!isRunning && url.trim() !== "" && events.length > 0}
      onSubmit={() => void run()}
      onClose={onClose}
    >
      <Field label="Address" hint="https, and reachable from the service.">
        {(field) => (
          <input
            {...field}
            className={inputClass}
            type="url"
            maxLength={2_048}
            placeholder="https://hooks.example.com/sightline"
            // biome-ignore lint/a11y/noAutofocus: the dialog was opened to fill this in
            autoFocus
            value={url}
            onChange={({ target }) => setUrl(target.value)}
          />
        )}
      </Field>
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
      <Refused error={failure} />
    </FormDialog>
  );
}
