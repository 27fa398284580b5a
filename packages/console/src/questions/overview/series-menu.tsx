import { useAccountName } from "../../data/account.ts";
import { fetched } from "../../data/later.ts";
import type { MetricSeries } from "../../data/queries.ts";
import type { ViewQuestion } from "../../data/use-question.ts";
import { IconButton } from "../../parts/button.tsx";
import { Menu } from "../../parts/popover.tsx";
import { told } from "../../parts/save.ts";

interface SeriesMenuProps {
  readonly question: ViewQuestion;
  readonly series: MetricSeries | undefined;
  /** The period before, which may be drawn dotted. */
  readonly before: MetricSeries | undefined;
}

/** What can be taken from the chart: pictures, figures, and the question itself. */
export function SeriesMenu({ question, series, before }: SeriesMenuProps) {
  const { workspace } = question;
  const owner = useAccountName(workspace.brand.name);
  const drawn = { series, before, workspace, owner };
  // Loaded when it is used: nobody waits for it before.
  const take = () => fetched(() => import("./take-series.ts"));
  return (
    <Menu
      label="Take the chart along"
      trigger={({ ref, ...props }) => (
        <IconButton label="Export and copy" icon="more" ref={ref} {...props} />
      )}
      groups={[
        [
          { text: "Save as PNG", onSelect: () => told(take().then((it) => it.savePng(drawn))) },
          { text: "Save as SVG", onSelect: () => told(take().then((it) => it.saveSvg(drawn))) },
          {
            text: "Save as CSV",
            onSelect: () => told(take().then((it) => it.saveCsv(drawn))),
          },
        ],
        [
          {
            text: "Copy as curl",
            onSelect: () => told(take().then((it) => it.copyCurl(question))),
          },
          {
            text: "Copy as TypeScript",
            onSelect: () => told(take().then((it) => it.copySdk(question))),
          },
          {
            text: "Copy as command",
            onSelect: () => told(take().then((it) => it.copyCommand(question))),
          },
        ],
      ]}
    />
  );
}
