import type { DeclaredWorkspaceResponse, StartedCollection } from "@sightline/client";
import { countOf, countText, dateText, dollarsText } from "../data/format.ts";
import { providerName } from "../data/names.ts";
import type { Reply } from "../data/queries.ts";
import { changeOwn } from "../data/use-view.ts";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { type Empty, Panel } from "../parts/panel.tsx";
import { ProviderLabel } from "../parts/provider-label.tsx";
import { Refused } from "../parts/refused.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Tag } from "../parts/tag.tsx";
import { type AskChoice, askableOf, namesProviders } from "./ask-choice.ts";
import css from "./collection.module.css";
import { GuideLink } from "./guide-link.tsx";
import type { Estimated } from "./queries.ts";
import { surfaceText, vendorName } from "./vendor-names.ts";

interface EstimatePanelProps {
  readonly file: DeclaredWorkspaceResponse | undefined;
  readonly choice: AskChoice;
  readonly estimate: Reply<Estimated>;
  /** Takes the choice back. */
  readonly onClear: () => void;
}

/** What it would ask and cost; why there is nothing to ask; or why the service refuses it. */
export function EstimatePanel(props: EstimatePanelProps) {
  const { estimate } = props;
  return (
    <Panel
      title="What it costs"
      query={estimate}
      minHeight={280}
      flush
      emptyOf={(data) =>
        data.kind === "estimate" && data.estimate.jobs === 0 ? nothingToAsk(props) : null
      }
    >
      {(data) =>
        data.kind === "refused" ? (
          <Refused error={data.error} />
        ) : (
          <Estimate estimate={data.estimate} />
        )
      }
    </Panel>
  );
}

/** Why there is nothing to ask, and what to do about it. */
function nothingToAsk({ file, choice, onClear }: EstimatePanelProps): Empty {
  if (file?.prompts.every(({ paused }) => paused) === true) {
    return {
      title: file.prompts.length === 0 ? "No prompts yet" : "Every prompt is paused",
      text: "Prompts are the questions that providers are asked.",
      actions: (
        <Button kind="primary" onClick={() => changeOwn({ ask: "", tab: "prompts" })}>
          {file.prompts.length === 0 ? "Add prompts" : "Go to prompts"}
        </Button>
      ),
    };
  }
  if (file !== undefined && choice.providers.length === 0 && !namesProviders(file)) {
    return {
      title: "No provider is declared",
      text:
        "Choose providers above to ask them now. To ask them on a schedule, declare “collection” " +
        "in the workspace file.",
      actions: <GuideLink at="#a-first-sweep" text="How it is declared" />,
    };
  }
  return {
    title: "Nothing to ask",
    text: "No selected prompt can be asked: it is paused, or no provider is declared for it.",
    actions: <Button onClick={onClear}>All that is declared</Button>,
  };
}

interface EstimateProps {
  /** Of at least one question. */
  readonly estimate: StartedCollection;
}

type Row = StartedCollection["estimates"][number];

/** What a sweep would ask and cost, by provider, and what would stay without an answer. */
function Estimate({ estimate }: EstimateProps) {
  const { jobs, dollars, pricesDate, estimates } = estimate;
  const sum = (of: (row: Row) => number) => estimates.reduce((total, row) => total + of(row), 0);
  const tokens = countText(sum((row) => row.inputTokens + row.outputTokens));
  const unchecked = estimates.filter(({ verified }) => !verified).map(({ vendor }) => vendor);
  return (
    <div>
      <div className={css["sum"]} data-estimate>
        <p className={css["figure"]}>
          {countOf(jobs, "question")}, about {dollarsText(dollars)}
        </p>
        <p className="quiet">
          {countOf(
            sum(({ calls }) => calls),
            "paid request",
          )}
          , {tokens} tokens, by the prices of {dateText(pricesDate)}.
          {unchecked.length === 0
            ? null
            : ` Prices of ${namesOf(unchecked)} were not found on the vendor's own page.`}
        </p>
        <WithoutKey estimate={estimate} />
        {estimate.warnings?.map((warning) => (
          <p key={warning} className={css["doubt"]}>
            <Icon name="warn" />
            <span>{warning}</span>
          </p>
        ))}
      </div>
      <Table
        caption="Estimate by provider"
        rows={estimates}
        keyOf={({ provider, surface, vendor }) => `${provider} ${surface} ${vendor}`}
        columns={columns}
      />
      <Unanswered estimate={estimate} />
    </div>
  );
}

const namesOf = (vendors: readonly string[]): string =>
  [...new Set(vendors)].map(vendorName).join(", ");

/** Says what the keys that are set do of it. */
function WithoutKey({ estimate }: EstimateProps) {
  const without = estimate.estimates.filter(({ hasCredential }) => !hasCredential);
  if (without.length === 0) return null;
  const { jobs, dollars } = askableOf(estimate);
  const names = namesOf(without.map(({ vendor }) => vendor));
  return (
    <p className={css["doubt"]}>
      <Icon name="warn" />
      <span>
        {jobs === 0
          ? `No provider can be queried: no credentials are configured for ${names}. `
          : `${countOf(jobs, "question")} of these can be sent, for about ` +
            `${dollarsText(dollars)}: no credentials are configured for ${names}. `}
        Store one under “Credentials of vendors”, or set one as below where the service runs, and
        start it again. <GuideLink text="How to set keys" />
      </span>
    </p>
  );
}

const columns: readonly Column<Row>[] = [
  {
    key: "provider",
    title: "Provider",
    cell: ({ provider, surface, vendor, hasCredential }) => (
      <>
        <span className={css["name"]}>
          <ProviderLabel provider={provider} />
          {hasCredential ? null : <Tag kind="doubt">no key</Tag>}
        </span>
        <div className="small quiet">{surfaceText(surface, vendor)}</div>
      </>
    ),
  },
  figure("Questions", ({ jobs }) => countText(jobs)),
  { ...figure("Requests", ({ calls }) => countText(calls)), drops: 3 },
  {
    ...figure("Tokens", ({ inputTokens, outputTokens }) => countText(inputTokens + outputTokens)),
    drops: 2,
  },
  { ...figure("Searches", ({ searches }) => countText(searches)), drops: 1 },
  figure("Cost", ({ dollars }) => dollarsText(dollars)),
];

function figure(title: string, cell: (row: Row) => string): Column<Row> {
  return { key: title, title, figure: true, cell };
}

function Unanswered({ estimate: { unanswered } }: EstimateProps) {
  if (unanswered.length === 0) return null;
  return (
    <div className={css["below"]}>
      <h3>Without an answer</h3>
      <ul className={css["reasons"]}>
        {unanswered.map(({ provider, surface, vendor, reason, jobs }) => (
          <li key={`${provider} ${surface} ${vendor} ${reason}`}>
            <strong>{providerName(provider)}</strong>, {countOf(jobs, "question")}: {reason}
          </li>
        ))}
      </ul>
    </div>
  );
}
