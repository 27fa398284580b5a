import type { Provider } from "@sightline/client";
import { currentSearch } from "../data/address.ts";
import { providerName, regionName } from "../data/names.ts";
import type { ViewQuestion } from "../data/use-question.ts";
import { changeView, clearFilters } from "../data/use-view.ts";
import { type View, viewOf } from "../data/view.ts";
import { Chip, type Option, OptionList } from "./chip.tsx";
import css from "./filter-bar.module.css";
import { CompareChip, PeriodChip } from "./period-chips.tsx";
import { announce } from "./save.ts";

interface FilterBarProps {
  readonly question: ViewQuestion;
  /** Nothing on the page is compared with another period. */
  readonly alone?: boolean;
}

/** The filters of a page in one row. What is chosen is in the address. */
export function FilterBar({ question, alone = false }: FilterBarProps) {
  const { view, workspace } = question;
  const { providers, topics, prompts, regions, branded } = view;
  const isFiltered =
    providers.length + topics.length + prompts.length + regions.length > 0 || branded !== null;
  return (
    <div className={css["bar"]} role="group" aria-label="Filters">
      <PeriodChip question={question} />
      {alone ? null : <CompareChip question={question} />}
      <ListChip
        name="Provider"
        options={workspace.providers.map((each) => ({ value: each, text: providerName(each) }))}
        chosen={providers}
        onChange={(chosen) => changeView({ providers: chosen as readonly Provider[] })}
      />
      <ListChip
        name="Topic"
        options={workspace.topics.map(({ id, name }) => ({ value: id, text: name }))}
        chosen={topics}
        // The service takes topics or prompts, since a prompt has one topic at most.
        onChange={(topics) => filterPrompts({ topics })}
      />
      <ListChip
        name="Prompt"
        options={workspace.prompts.map(({ id, text }) => ({ value: id, text }))}
        chosen={prompts}
        onChange={(prompts) => filterPrompts({ prompts })}
      />
      <ListChip
        name="Region"
        options={workspace.regions.map((code) => ({ value: code, text: regionName(code) }))}
        chosen={regions}
        onChange={(chosen) => changeView({ regions: chosen })}
      />
      <BrandedChip branded={branded} />
      {isFiltered ? (
        <button type="button" className={css["clear"]} onClick={clearFilters}>
          Clear filters
        </button>
      ) : null}
    </div>
  );
}

/**
 * Filters by topics or by prompts: the service takes one of the two, and the reader is told which
 * filter goes.
 */
export function filterPrompts(chosen: Partial<Pick<View, "topics" | "prompts">>): void {
  const { topics = [], prompts = [] } = chosen;
  const before = viewOf(currentSearch());
  changeView({ topics, prompts });
  const dropped = [
    ...(topics.length > 0 && before.prompts.length > 0 ? ["prompt"] : []),
    ...(prompts.length > 0 && before.topics.length > 0 ? ["topic"] : []),
  ];
  for (const name of dropped) {
    announce(`The ${name} filter was removed: topics and prompts cannot be combined.`);
  }
}

interface ListChipProps {
  readonly name: string;
  /** Said while nothing is chosen. */
  readonly plain?: string;
  readonly options: readonly Option[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Any number of a list, with what is chosen in its button. */
export function ListChip({ name, plain = "All", options, chosen, onChange }: ListChipProps) {
  const textOf = (value: string) =>
    options.find((each) => each.value === value)?.text ??
    (value.length > longestCode ? `Unknown ${name.toLowerCase()}` : value);
  const [first] = chosen;
  const more = chosen.length > 1 ? ` + ${chosen.length - 1}` : "";
  return (
    <Chip name={name} plain={plain} value={first === undefined ? null : `${textOf(first)}${more}`}>
      {(close) => <OptionList {...{ name, options, chosen, onChange, close }} />}
    </Chip>
  );
}

/** What is longer and unknown here is an id, which says nothing to a reader. */
const longestCode = 32;

const brandedOptions: readonly Option[] = [
  { value: "", text: "All prompts" },
  { value: "false", text: "Not branded: without the brand's name" },
  { value: "true", text: "Branded: with the brand's name" },
];

function BrandedChip({ branded }: { readonly branded: boolean | null }) {
  const value = branded === null ? null : branded ? "Yes" : "No";
  return (
    <Chip name="Branded" value={value}>
      {(close) => (
        <OptionList
          name="Branded"
          options={brandedOptions}
          chosen={[branded === null ? "" : String(branded)]}
          onChange={([chosen]) => changeView({ branded: chosen === "" ? null : chosen === "true" })}
          single
          close={close}
        />
      )}
    </Chip>
  );
}
