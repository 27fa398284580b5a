import type { Grouping } from "@sightline/client";
import { countText, percentText } from "../../data/format.ts";
import type { ViewQuestion } from "../../data/use-question.ts";
import { Breakable } from "../../parts/breakable.tsx";
import { Expander } from "../../parts/expander.tsx";
import type { Column } from "../../parts/table.tsx";
import type { ListedSource } from "../source-questions.ts";
import { differenceOf } from "./found-gaps.ts";
import { SourceClass } from "./source-class.tsx";
import { plainAddress } from "./source-columns.tsx";
import { type GapSide, openSource as onOpen } from "./source-view.ts";
import css from "./sources.module.css";

interface GapColumnsProps {
  readonly question: ViewQuestion;
  readonly gapsBy: Grouping;
  readonly side: GapSide;
  readonly openSource: string | null;
  /** The widest gap of the list. */
  readonly largest: number;
  /** The most answers on one side, which the longest bar stands for. */
  readonly longest: number;
}

/** The columns of a list of gaps. */
export function gapColumns(props: GapColumnsProps): readonly Column<ListedSource>[] {
  const { question, gapsBy, side, openSource, longest } = props;
  const { workspace } = question;
  const columns: readonly (Column<ListedSource> | null)[] = [
    {
      key: "source",
      title: gapsBy === "domain" ? "Domain" : "Page",
      cell: ({ source }) => (
        <Expander
          isOpen={source === openSource}
          onToggle={() => onOpen(source === openSource ? null : source)}
        >
          <Breakable text={plainAddress(source)} />
        </Expander>
      ),
    },
    {
      key: "class",
      title: "Class",
      drops: 1,
      explained: "class",
      cell: (source) => <SourceClass source={source} workspace={workspace} />,
    },
    {
      key: "competitor",
      title: "Only competitors",
      figure: true,
      drops: 3,
      repeats: true,
      explained: "onlyCompetitors",
      cell: ({ withCompetitorOnly }) => countText(withCompetitorOnly),
    },
    {
      key: "scale",
      title: <span className="visually-hidden">Both</span>,
      drops: 2,
      repeats: true,
      cell: (source) => <GapScale source={source} longest={longest} />,
    },
    {
      key: "brand",
      title: `Only ${workspace.brand.name}`,
      drops: 3,
      repeats: true,
      explained: "onlyBrand",
      cell: ({ withBrandOnly }) => countText(withBrandOnly),
    },
    {
      key: "difference",
      title: "Difference",
      figure: true,
      // One side is sorted by it, the other by opportunity.
      ...(side === "brand" ? {} : { drops: 4 }),
      explained: "difference",
      cell: (source) => (
        <>
          <strong>{countText(Math.abs(differenceOf(source)))}</strong>
          <span className={css["both"]}>
            {countText(source.withCompetitorOnly)} against {countText(source.withBrandOnly)}
          </span>
        </>
      ),
    },
    side === "brand"
      ? null
      : {
          key: "opportunity",
          title: "Opportunity",
          figure: true,
          explained: "opportunity",
          cell: ({ opportunity }) => percentText(opportunity, 2),
        },
  ];
  return columns.filter((each) => each !== null);
}

interface GapScaleProps {
  readonly source: ListedSource;
  readonly longest: number;
}

/** Both counts from one middle: competitors to the left, the brand to the right. */
function GapScale({ source: { withBrandOnly, withCompetitorOnly }, longest }: GapScaleProps) {
  const width = (count: number) => ({ width: `${((count / longest) * 50).toFixed(2)}%` });
  return (
    <span className={css["scale"]} aria-hidden="true">
      <span className={css["them"]} style={width(withCompetitorOnly)} />
      <span className={css["us"]} style={width(withBrandOnly)} />
    </span>
  );
}
