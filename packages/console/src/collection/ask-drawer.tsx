import type { DeclaredWorkspaceResponse, Provider } from "@sightline/client";
import { providerNames } from "@sightline/contract/providers";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useWorkspaceFile } from "../accounts/queries.ts";
import { useAccount } from "../data/account.ts";
import { countOf } from "../data/format.ts";
import { useChange } from "../data/managed.ts";
import { regionName } from "../data/names.ts";
import { repliesOf } from "../data/queries.ts";
import { changeOwn } from "../data/use-view.ts";
import { Button } from "../parts/button.tsx";
import { Chip, OptionList } from "../parts/chip.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { ListChip } from "../parts/filter-bar.tsx";
import { Refused } from "../parts/refused.tsx";
import { RegionSign } from "../parts/region-label.tsx";
import { announce } from "../parts/save.ts";
import { type AskChoice, askableOf, isPlain, plainChoice, requestOf } from "./ask-choice.ts";
import css from "./collection.module.css";
import { EstimatePanel } from "./estimate.tsx";
import { collectionsName, useEstimate } from "./queries.ts";

interface AskDrawerProps {
  readonly onClose: () => void;
}

/** What to ask now, what that costs, and the button that has it asked. */
export function AskDrawer({ onClose }: AskDrawerProps) {
  const [choice, setChoice] = useState<AskChoice>(plainChoice);
  const { data: workspace } = useWorkspaceFile();
  const estimate = useEstimate(requestOf(choice));
  const { failure, isRunning, run, forget } = useStart(choice);
  const { data } = estimate;
  const jobs = data?.kind === "estimate" ? askableOf(data.estimate).jobs : 0;
  const isReady = !estimate.isPlaceholderData && estimate.error === null && jobs > 0;
  return (
    <Dialog
      title="Ask now"
      about="Check the cost first: nothing is asked until you press the button below."
      onClose={onClose}
      drawer
      foot={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" disabled={!isReady || isRunning} onClick={() => void run()}>
            {jobs === 0 ? "Ask" : `Ask ${countOf(jobs, "question")}`}
          </Button>
        </>
      }
    >
      <div className={css["ask"]}>
        <AskForm
          file={workspace?.file}
          choice={choice}
          onChange={(next) => {
            forget();
            setChoice(next);
          }}
        />
        <EstimatePanel
          {...{ choice, estimate }}
          file={workspace?.file}
          onClear={() => setChoice(plainChoice)}
        />
        <Refused error={failure} />
      </div>
    </Dialog>
  );
}

/** Has the choice asked. A call that failed may have arrived: the sweeps are fetched again. */
function useStart(choice: AskChoice) {
  const account = useAccount();
  const queries = useQueryClient();
  return useChange(async ({ client }) => {
    try {
      const { id, jobs } = await client.collections.start(requestOf(choice));
      announce(`Asking ${countOf(jobs, "question")}.`);
      changeOwn({ ask: "", open: id ?? "" });
    } finally {
      void queries.invalidateQueries({ queryKey: repliesOf(account, collectionsName) });
    }
  });
}

interface AskFormProps {
  /** Undefined: not known yet. */
  readonly file: DeclaredWorkspaceResponse | undefined;
  readonly choice: AskChoice;
  readonly onChange: (choice: AskChoice) => void;
}

const declared = "as declared";

/** Which of what is declared to ask, and how. */
function AskForm({ file, choice, onChange }: AskFormProps) {
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
        options={countries().map((code) => ({
          value: code,
          text: regionName(code),
          sign: <RegionSign code={code} />,
        }))}
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

/** Codes with a name that ISO 3166-1 does not have: groups, parts, reserved and made-up ones. */
const notCountries = new Set(
  "AC CP CQ DG EA EU EZ IC QO TA UN XA XB XK ZZ".split(" "),
) as ReadonlySet<string>;

let known: readonly string[] | null = null;

/** The codes of the countries, by their English names. */
export function countries(): readonly string[] {
  known ??= codes()
    .filter((code) => isCountry(code))
    .toSorted((one, other) => (regionName(one) < regionName(other) ? -1 : 1));
  return known;
}

function isCountry(code: string): boolean {
  if (notCountries.has(code) || regionName(code) === code) return false;
  // A code of the past, such as DD, means another one today.
  return new Intl.Locale(`und-${code}`).region === code;
}

function codes(): readonly string[] {
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
  return letters.flatMap((first) => letters.map((second) => `${first}${second}`));
}
