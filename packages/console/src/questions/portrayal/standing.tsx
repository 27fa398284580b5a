import type { InsightsSummaryResponse, PortrayalFlag } from "@sightline/client";
import { useAccountName } from "../../data/account.ts";
import { countOf, countText, intervalText, percentText } from "../../data/format.ts";
import { flagOrder, flagTitles } from "../../data/names.ts";
import type { Reply } from "../../data/queries.ts";
import { summaryOf, type ViewQuestion } from "../../data/use-question.ts";
import { changeOwn, changeView } from "../../data/use-view.ts";
import { Segments } from "../../parts/button.tsx";
import { type CsvForm, saveCsv } from "../../parts/csv.ts";
import { CsvMenu } from "../../parts/csv-menu.tsx";
import { type Empty, Panel } from "../../parts/panel.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { ChangeButton, ChangeMark, comparedOf } from "../changes/change.tsx";
import { CopyMenu } from "../copy-menu.tsx";
import { fileName, tableTexts } from "../described.ts";
import { openEvidence } from "../open-evidence.ts";
import css from "./portrayal.module.css";
import { isGoodFlag, listedFlags, shareDefinition } from "./portrayal-texts.ts";

type Entity = InsightsSummaryResponse["groups"][number]["entities"][number];

interface StandingProps {
  readonly summary: Reply<InsightsSummaryResponse>;
  readonly question: ViewQuestion;
  readonly flag: PortrayalFlag;
  /** Whose sentences are shown. */
  readonly chosenId: string;
  readonly emptyOf: (summary: InsightsSummaryResponse) => Empty | null;
}

/** The share of each flag by entity, with its interval and its change. */
export function Standing({ summary, question, flag, chosenId, emptyOf }: StandingProps) {
  const { filters, workspace, comparedFilters } = question;
  const owner = useAccountName(workspace.brand.name);
  const save = (form: CsvForm) => {
    if (summary.data === undefined) return;
    const file = { owner, what: "portrayal", filters, workspace };
    const n = countOf(summary.data.groups[0]?.answers ?? 0, "answer");
    const definitions = flagOrder.map((each) => `${flagTitles[each]}: ${shareDefinition(each)}`);
    const about = tableTexts({ ...file, title: "Portrayal", n, definitions });
    saveCsv({ name: fileName(file), about, rows: rowsOf(summary.data) }, form);
  };
  const copied = {
    path: "/v1/insights/summary",
    call: "insights.summary",
    body: summaryOf({ filters, comparedFilters }),
    command: ["portrayal"],
  } as const;
  return (
    <Panel
      title="How answers speak"
      query={summary}
      flush
      minHeight={240}
      tools={
        <>
          <div className={css["flags"]}>
            <Segments<PortrayalFlag>
              label="What answers say"
              options={flagOrder.map((each) => [each, flagTitles[each]])}
              value={flag}
              onChange={(chosen) =>
                changeOwn({ flag: chosen === "recommended" ? "" : chosen }, { replace: true })
              }
            />
          </div>
          <CsvMenu onSave={save} />
          <CopyMenu label="Copy the shares as" question={copied} />
        </>
      }
      emptyOf={emptyOf}
      partialOf={({ groups: [group] }) => unreadText(group?.entities[0])}
    >
      {(reply) => {
        const entities = (reply.groups[0]?.entities ?? []).filter(isRead);
        return (
          <>
            <Table
              caption="How answers speak of each"
              columns={columnsOf(reply, flag, chosenId)}
              rows={entities}
              keyOf={({ id }) => id}
            />
            <p className={css["foot"]}>
              Of the answers that mention it and were read. A figure opens its answers; a name shows
              its line and its sentences.
            </p>
          </>
        );
      }}
    </Panel>
  );
}

const isRead = ({ portrayal }: Entity): boolean =>
  portrayal !== undefined && portrayal.recommended.denominator + portrayal.reader.unread > 0;

function unreadText(brand: Entity | undefined): string | null {
  const unread = brand?.portrayal?.reader.unread ?? 0;
  if (brand === undefined || unread === 0) return null;
  return (
    `${countText(unread)} of the ${countOf(brand.mentions.numerator, "answer")} that mention ` +
    `${brand.name} could not be read and count in no share.`
  );
}

/** The columns, of which the chosen flag's stays where there is no place for all. */
function columnsOf(
  reply: InsightsSummaryResponse,
  flag: PortrayalFlag,
  chosenId: string,
): readonly Column<Entity>[] {
  const listed = listedFlags(reply.groups[0]?.entities ?? []);
  const of = comparedOf(reply);
  return [
    {
      key: "name",
      title: "Name",
      cell: (entity) => <Name entity={entity} isChosen={entity.id === chosenId} />,
    },
    ...flagOrder.map((each, place): Column<Entity> => {
      const drops = each === flag ? {} : { drops: flagOrder.length - place };
      return {
        key: each,
        title: flagTitles[each],
        figure: true,
        ...drops,
        cell: (entity) => (
          <Share {...{ entity, of }} flag={each} isListed={listed.includes(each)} />
        ),
      };
    }),
    {
      key: "read",
      title: "Answers read",
      figure: true,
      drops: 0,
      cell: ({ portrayal }) => countText(portrayal?.recommended.denominator ?? 0),
    },
  ];
}

interface NameProps {
  readonly entity: Entity;
  readonly isChosen: boolean;
}

function Name({ entity: { id, name }, isChosen }: NameProps) {
  return (
    <button
      type="button"
      className={css["name"]}
      aria-pressed={isChosen}
      onClick={() => changeView({ only: isChosen ? [] : [id] })}
    >
      {name}
    </button>
  );
}

interface ShareProps {
  readonly entity: Entity;
  readonly flag: PortrayalFlag;
  readonly of: ReturnType<typeof comparedOf>;
  /** The flag is a list to read, and no number. */
  readonly isListed: boolean;
}

function Share({ entity, flag, of, isListed }: ShareProps) {
  const share = entity.portrayal?.[flag];
  if (share === undefined) return null;
  const { value, numerator, interval, change, effectivePrompts } = share;
  const text = isListed ? countOf(numerator, "answer") : percentText(value);
  const title = `${flagTitles[flag]}: ${entity.name}`;
  return (
    <>
      {numerator === 0 ? (
        <span>{text}</span>
      ) : (
        <button
          type="button"
          className={css["opens"]}
          aria-label={`${title}, ${text}: show ${countOf(numerator, "answer")}`}
          onClick={() => openEvidence({ role: flag, entityId: entity.id })}
        >
          {text}
        </button>
      )}
      <span className={css["about"]}>
        {isListed ? "to read" : (intervalText("mentions", interval) ?? "no interval")}
        {isListed || change === undefined || change.value === null ? null : (
          <ChangeButton
            of={{ ...of, title, metric: "mentions", change, effectivePrompts }}
            why={null}
            className={css["change"]}
          >
            <ChangeMark metric="mentions" change={change} isRiseGood={isGoodFlag(flag)} />
          </ChangeButton>
        )}
      </span>
    </>
  );
}

const head = [
  ...["entityId", "entity", "flag", "value", "numerator", "denominator", "low", "high"],
  ...["unread", "insufficient"],
];

/** A row for each flag of each entity. */
function rowsOf({ groups }: InsightsSummaryResponse) {
  const rows = (groups[0]?.entities ?? []).flatMap(({ id, name, portrayal }) =>
    flagOrder.flatMap((flag) => {
      if (portrayal === undefined) return [];
      const { value, numerator, denominator, interval, flags } = portrayal[flag];
      return [
        [
          ...[id, name, flag, value, numerator, denominator],
          ...[interval?.low ?? null, interval?.high ?? null, portrayal.reader.unread],
          flags.includes("insufficient"),
        ],
      ];
    }),
  );
  return [head, ...rows];
}
