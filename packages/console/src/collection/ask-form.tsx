import type { DeclaredWorkspaceResponse, Provider } from "@sightline/client";
import { providerNames, regionName } from "../data/names.ts";
import { Button } from "../parts/button.tsx";
import { Chip, OptionList } from "../parts/chip.tsx";
import { ListChip } from "../parts/filter-bar.tsx";
import { type AskChoice, isPlain, plainChoice } from "./ask-choice.ts";
import css from "./collection.module.css";
import { countries } from "./countries.ts";

interface AskFormProps {
  /** Undefined: not known yet. */
  readonly file: DeclaredWorkspaceResponse | undefined;
  readonly choice: AskChoice;
  readonly onChange: (choice: AskChoice) => void;
}

const declared = "as declared";

/** Which of what is declared to ask, and how. */
export function AskForm({ file, choice, onChange }: AskFormProps) {
  const { topics, prompts, providers, regions, samples } = choice;
  const asked = (file?.prompts ?? []).filter(({ paused }) => !paused);
  return (
    <div className={css["choices"]} role="group" aria-label="What to ask">
      <ListChip
        name="Topics"
        options={(file?.topics ?? []).map(({ id, name }) => ({ value: id, text: name }))}
        chosen={topics}
        // The service takes topics or prompts, since a prompt has one topic at most.
        onChange={(chosen) => onChange({ ...choice, topics: chosen, prompts: [] })}
      />
      <ListChip
        name="Prompts"
        options={asked.map(({ id, text }) => ({ value: id, text }))}
        chosen={prompts}
        onChange={(chosen) => onChange({ ...choice, prompts: chosen, topics: [] })}
      />
      <ListChip
        name="Providers"
        plain={declared}
        options={Object.entries(providerNames).map(([value, text]) => ({ value, text }))}
        chosen={providers}
        onChange={(chosen) => onChange({ ...choice, providers: chosen as readonly Provider[] })}
      />
      <ListChip
        name="Countries"
        plain={declared}
        options={countries().map((code) => ({ value: code, text: regionName(code) }))}
        chosen={regions}
        onChange={(chosen) => onChange({ ...choice, regions: chosen })}
      />
      <SamplesChip
        samples={samples}
        onChange={(chosen) => onChange({ ...choice, samples: chosen })}
      />
      {isPlain(choice) ? null : (
        <Button kind="plain" onClick={() => onChange(plainChoice)}>
          All that is declared
        </Button>
      )}
    </div>
  );
}

/** Of the 1 to 20 that the service takes. */
const samplesOffered = [1, 2, 3, 5, 10, 20] as const;

interface SamplesChipProps {
  readonly samples: number | null;
  readonly onChange: (samples: number | null) => void;
}

function SamplesChip({ samples, onChange }: SamplesChipProps) {
  return (
    <Chip name="Samples" plain={declared} value={samples === null ? null : `${samples} of each`}>
      {(close) => (
        <OptionList
          name="Samples"
          options={[
            { value: "", text: "As declared" },
            ...samplesOffered.map((each) => ({ value: `${each}`, text: `${each} of each` })),
          ]}
          chosen={[samples === null ? "" : `${samples}`]}
          onChange={([value]) => onChange(value ? Number(value) : null)}
          single
          close={close}
        />
      )}
    </Chip>
  );
}
