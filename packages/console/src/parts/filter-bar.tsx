import type { WorkspaceResponse } from "@sightline/client";
import { type ReactNode, Suspense, useRef, useState } from "react";
import { useScope } from "../data/account.ts";
import { promptsOfTopics, tagsOf } from "../data/filters.ts";
import { countText } from "../data/format.ts";
import { later } from "../data/later.ts";
import { providerName, regionName, surfaceNames } from "../data/names.ts";
import { useSummary } from "../data/queries.ts";
import type { ViewQuestion } from "../data/use-question.ts";
import { changeView, chooseItems, clearFilters, isFiltered } from "../data/use-view.ts";
import type { Excluded, View } from "../data/view.ts";
import { Segments } from "./button.tsx";
import { Chip, type Option, OptionList } from "./chip.tsx";
import css from "./filter-bar.module.css";
import { CompareChip, PeriodChip } from "./period-chips.tsx";
import { ProviderSign } from "./provider-label.tsx";
import { RegionSign } from "./region-label.tsx";
import { useFading } from "./sideways.ts";

interface FilterBarProps {
  readonly question: ViewQuestion;
  /** Nothing on the page is compared with another period. */
  readonly alone?: boolean;
}

/** The filters of a page in one row. What is chosen is in the address. */
export function FilterBar({ question, alone = false }: FilterBarProps) {
  const { view, workspace } = question;
  const bar = useRef<HTMLDivElement>(null);
  const fading = useFading(bar);
  const tags = [...new Set([...tagsOf(workspace), ...view.tags, ...view.excluded.tags])];
  return (
    <div ref={bar} className={`${css["bar"]} ${fading}`} role="group" aria-label="Filters">
      <PeriodChip question={question} />
      {alone ? null : <CompareChip question={question} />}
      <ItemsChip
        {...{ view, name: "Provider", of: "providers" }}
        options={workspace.providers.map((each) => ({
          value: each,
          text: providerName(each),
          sign: <ProviderSign provider={each} />,
        }))}
      />
      <ItemsChip
        {...{ view, name: "Topic", of: "topics" }}
        options={workspace.topics.map(({ id, name }) => ({ value: id, text: name }))}
      />
      {tags.length === 0 ? null : (
        <ItemsChip
          {...{ view, name: "Tag", of: "tags" }}
          options={tags.map((tag) => ({ value: tag, text: tag }))}
          shortOf={(tag) => tag}
        />
      )}
      <ItemsChip
        {...{ view, name: "Prompt", of: "prompts", note: promptNote(question) }}
        options={workspace.prompts.map(({ id, text }) => ({ value: id, text }))}
      />
      <ItemsChip
        {...{ view, name: "Region", of: "regions" }}
        options={workspace.regions.map((code) => ({
          value: code,
          text: regionName(code),
          sign: <RegionSign code={code} />,
        }))}
      />
      <ModelChip question={question} />
      {/* Most accounts have one surface: the table by surface filters where there are more. */}
      {[...view.surfaces, ...view.excluded.surfaces].length === 0 ? null : (
        <ItemsChip
          {...{ view, name: "Surface", of: "surfaces" }}
          options={Object.entries(surfaceNames).map(([value, text]) => ({ value, text }))}
        />
      )}
      <BrandedChip branded={view.branded} />
      <ViewsChip views={workspace.views ?? []} />
      {isFiltered(view) ? (
        <button type="button" className={css["clear"]} onClick={clearFilters}>
          Clear filters
        </button>
      ) : null}
    </div>
  );
}

/** What prompts and topics together let pass; null: one of the two filters is not set. */
function promptNote({ view, workspace }: ViewQuestion): string | null {
  if (view.topics.length === 0 || view.prompts.length === 0) return null;
  const both = promptsOfTopics(view, workspace).length;
  return `${both} of ${view.prompts.length} in the topics`;
}

/** The models of the period are asked for when the list is opened, and not by every page. */
function ModelChip({ question: { view, filters, workspace } }: { question: ViewQuestion }) {
  const [isOpened, setOpened] = useState(false);
  const { models: _, exclude: { models: __, ...exclude } = {}, ...others } = filters;
  const summary = useSummary(
    isOpened
      ? {
          groupBy: "model",
          filters: { ...others, ...(Object.keys(exclude).length === 0 ? {} : { exclude }) },
          entityIds: [workspace.brand.id],
        }
      : null,
  );
  const found = (summary.data?.groups ?? []).flatMap(({ key, answers }) =>
    key === null || answers === 0 ? [] : [{ key, answers }],
  );
  const chosen = [...view.models, ...view.excluded.models];
  const unfound = chosen.filter((model) => found.every(({ key }) => key !== model));
  const options = [
    ...found
      .toSorted((a, b) => b.answers - a.answers)
      .map(({ key, answers }) => ({ value: key, text: `${key} · ${countText(answers)}` })),
    ...unfound.map((model) => ({ value: model, text: model })),
  ];
  return (
    <ItemsChip
      {...{ view, name: "Model", of: "models", options }}
      onOpen={() => setOpened(true)}
      shortOf={(model) => model}
      empty={summary.isFetching ? "Loading …" : "No model is known."}
    />
  );
}

interface ItemsChipProps {
  readonly view: View;
  readonly name: string;
  readonly of: keyof Excluded;
  readonly options: readonly Option[];
  /** What the chip says of its filter together with another one; null: nothing. */
  readonly note?: string | null;
  readonly onOpen?: () => void;
  /** What the button calls an item; as the list does unless said. */
  readonly shortOf?: (value: string) => string;
  /** Said where there is nothing to choose. */
  readonly empty?: string;
}

const modes = [
  ["is", "is"],
  ["not", "is not"],
] as const;

/** Items of which one is to be had, or none. */
function ItemsChip({ view, name, of, options, note = null, ...own }: ItemsChipProps) {
  const excluded = view.excluded[of];
  const chosen = excluded.length > 0 ? excluded : view[of];
  const [isNot, setNot] = useState(false);
  const isExcluded = chosen.length > 0 ? excluded.length > 0 : isNot;
  return (
    <ListChip
      {...{ name, options, chosen }}
      {...own}
      said={(text) => `${isExcluded ? "not " : ""}${text}${note === null ? "" : ` · ${note}`}`}
      onChange={(items) => chooseItems(of, items, { isExcluded })}
      head={
        <div className={css["mode"]}>
          <Segments
            label={`${name} is or is not`}
            options={modes}
            value={isExcluded ? "not" : "is"}
            onChange={(mode) => {
              setNot(mode === "not");
              if (chosen.length > 0) chooseItems(of, chosen, { isExcluded: mode === "not" });
            }}
          />
        </div>
      }
    />
  );
}

interface ListChipProps {
  readonly name: string;
  /** Said while nothing is chosen. */
  readonly plain?: string;
  readonly options: readonly Option[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  /** What the button says of what is chosen, such as that it is left out. */
  readonly said?: (text: string) => string;
  /** Above the list. */
  readonly head?: ReactNode;
  readonly onOpen?: () => void;
  /** What the button calls an item; as the list does unless said. */
  readonly shortOf?: (value: string) => string;
  /** Said where there is nothing to choose. */
  readonly empty?: string;
}

/** Any number of a list, with what is chosen in its button. */
export function ListChip(props: ListChipProps) {
  const { name, plain = "All", options, chosen, onChange, said = (text) => text, head } = props;
  const { onOpen, empty } = props;
  const textOf = (value: string) =>
    props.shortOf?.(value) ??
    options.find((each) => each.value === value)?.text ??
    (value.length > longestCode ? `Unknown ${name.toLowerCase()}` : value);
  const [first] = chosen;
  const more = chosen.length > 1 ? ` + ${chosen.length - 1}` : "";
  return (
    <Chip
      name={name}
      plain={plain}
      value={first === undefined ? null : said(`${textOf(first)}${more}`)}
    >
      {(close) => (
        <OptionList {...{ name, options, chosen, onChange, close, head, onOpen, empty }} />
      )}
    </Chip>
  );
}

/** What is longer and unknown here is an id, which says nothing to a reader. */
const longestCode = 32;

const SavedViews = later(async () => (await import("./saved-views.tsx")).SavedViews);

/** The views of the account; for those who may not keep any, only if there are some. */
function ViewsChip({ views }: { readonly views: NonNullable<WorkspaceResponse["views"]> }) {
  const mayManage = useScope("manage");
  if (views.length === 0 && !mayManage) return null;
  return (
    <Chip name="Views" value={null} plain={String(views.length)}>
      {(close) => (
        <Suspense>
          <SavedViews views={views} close={close} />
        </Suspense>
      )}
    </Chip>
  );
}

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
