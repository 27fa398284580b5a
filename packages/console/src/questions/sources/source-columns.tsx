import type { Grouping } from "@sightline/client";
import { countOf, countText, percentText } from "../../data/format.ts";
import type { ViewQuestion } from "../../data/use-question.ts";
import { Breakable } from "../../parts/breakable.tsx";
import { Expander } from "../../parts/expander.tsx";
import type { Bar, Column } from "../../parts/table.tsx";
import { ChangeButton, ChangeMark } from "../changes/change.tsx";
import { verdictWord } from "../changes/change-text.ts";
import { openEvidence } from "../open-evidence.ts";
import { type ListedSource, pathOf } from "../source-questions.ts";
import { formTexts, SourceClass } from "./source-class.tsx";
import css from "./sources.module.css";

interface SourceColumnsProps {
  readonly question: ViewQuestion;
  readonly groupBy: Grouping;
  readonly openSource: string | null;
  readonly onOpen: (source: string | null) => void;
  /** Given where all rows are pages of one domain: their addresses are shown without it. */
  readonly domain?: string;
}

/** The columns of a list of domains or pages. */
export function sourceColumns(props: SourceColumnsProps): readonly Column<ListedSource>[] {
  const { question, groupBy, openSource, onOpen, domain } = props;
  const sorts = domain === undefined;
  const columns: readonly (Column<ListedSource> | null)[] = [
    {
      key: "source",
      title: groupBy === "domain" ? "Domain" : "Page",
      sorts,
      cell: ({ source }) => (
        <Expander
          isOpen={source === openSource}
          onToggle={() => onOpen(source === openSource ? null : source)}
        >
          <Breakable text={domain === undefined ? plainAddress(source) : pathOf(source, domain)} />
        </Expander>
      ),
    },
    sorts
      ? {
          key: "class",
          title: "Class",
          drops: 1,
          explained: "class",
          cell: (source) => <SourceClass source={source} workspace={question.workspace} />,
        }
      : null,
    sorts && groupBy === "url"
      ? {
          key: "form",
          title: "Form",
          drops: 2,
          cell: ({ form }) => <span className="quiet small">{formTexts[form ?? ""] ?? form}</span>,
        }
      : null,
    {
      key: "share",
      title: "Share",
      figure: true,
      drops: 5,
      explained: "share",
      cell: ({ share }) => percentText(share, groupBy === "domain" ? 1 : 2),
    },
    {
      key: "citations",
      title: "Citations",
      figure: true,
      drops: 4,
      explained: "sourceCitations",
      sorts,
      cell: ({ citations }) => countText(citations),
    },
    {
      key: "answers",
      title: "Answers",
      figure: true,
      drops: 2,
      explained: "sourceAnswers",
      sorts,
      cell: (source) => <Answers source={source} by={groupBy} brand={question.workspace.brand} />,
    },
    question.compared === null
      ? null
      : {
          key: "change",
          title: "Change",
          figure: true,
          drops: 3,
          explained: "change",
          sorts,
          cell: (source) => <SourceChange source={source} />,
        },
  ];
  return columns.filter((each) => each !== null);
}

interface AnswersProps {
  readonly source: ListedSource;
  readonly by: Grouping;
  readonly brand: { readonly id: string; readonly name: string };
}

/** The answers that cite a source, and the way to those without the brand. */
function Answers({ source: { source, answers, class: its }, by, brand }: AnswersProps) {
  const part = { by, key: source };
  const address = plainAddress(source);
  return (
    <>
      <button
        type="button"
        className={css["answers"]}
        aria-label={`${countOf(answers, "answer")} citing ${address}`}
        onClick={() => openEvidence({ role: "any", entityId: null, part })}
      >
        {countText(answers)}
      </button>
      {/* An answer that cites an own page shows the brand. */}
      {its === "own" ? null : (
        <button
          type="button"
          className={`${css["answers"]} ${css["without"]}`}
          onClick={() => openEvidence({ role: "notVisible", entityId: brand.id, part })}
        >
          without us
          <span className="visually-hidden">: answers citing {address}</span>
        </button>
      )}
    </>
  );
}

/** An address as people read it. */
export const plainAddress = (source: string): string => source.replace(/^https?:\/\//, "");

/** A source's share as a bar relative to the largest one. */
export function barOf({ share, class: its }: ListedSource, largest: number): Bar {
  return { length: largest === 0 ? 0 : share / largest, isBrand: its === "own" };
}

/** Most shares are small: one place would show their changes as nothing. */
const places = 2;

/**
 * The change of a share like for like, in points, with an arrow only where its verdict is `moved`.
 * A rise is good for an own source, bad for a competitor's, and neither for another.
 */
function SourceChange({ source }: { readonly source: ListedSource }) {
  const { change, class: its } = source;
  if (change?.value == null) return <span className="quiet">–</span>;
  return (
    <ChangeButton
      of={{
        title: `the share of ${plainAddress(source.source)}`,
        metric: "shareOfVoice",
        change,
        effectivePrompts: null,
        prompts: null,
        discontinuous: [],
      }}
      why={null}
      className={css["change"]}
    >
      <ChangeMark
        metric="shareOfVoice"
        change={change}
        places={places}
        isRiseGood={its === "thirdParty" ? null : its === "own"}
      />
      <span className={css["verdict"]}>{verdictWord(change)}</span>
    </ChangeButton>
  );
}
