import type { InsightsSummaryResponse } from "@sightline/client";
import { intervalText, percentText } from "../../data/format.ts";
import { addressOf, changeView } from "../../data/use-view.ts";
import { plainView } from "../../data/view.ts";
import { listedFlags, nothingSaid } from "../portrayal/portrayal-texts.ts";
import css from "./page.module.css";

type Entity = InsightsSummaryResponse["groups"][number]["entities"][number];

const said = [
  ["recommended", "recommended"],
  ["criticized", "criticized"],
  ["praised", "praised"],
] as const;

/** Flags that the line says. */
const saidMax = 2;

/**
 * "Recommended in 31.0 % of the answers that mention you (28–34 %), criticized in 12.1 % (…)", as
 * a link to the page that has more.
 */
export function Said({ entities }: { readonly entities: readonly Entity[] }) {
  const [brand] = entities;
  if (brand === undefined || nothingSaid(brand) !== null) return null;
  const listed = listedFlags(entities);
  const texts = said
    .filter(([flag]) => !listed.includes(flag))
    .slice(0, saidMax)
    .map(([flag, word], place) => shareText(brand, flag, word, place === 0));
  const change = { page: "portrayal", own: plainView.own } as const;
  if (texts.length === 0) return null;
  return (
    <a
      className={css["opens"]}
      href={addressOf(change)}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        changeView(change);
      }}
    >
      {texts.join(", ")}
    </a>
  );
}

function shareText(
  { portrayal }: Entity,
  flag: (typeof said)[number][0],
  word: string,
  isFirst: boolean,
): string {
  const { value = null, interval = null } = portrayal?.[flag] ?? {};
  const bounds = intervalText("mentions", interval);
  const share = `${percentText(value)}${isFirst ? " of the answers that mention you" : ""}`;
  const start = isFirst ? `${word.charAt(0).toUpperCase()}${word.slice(1)}` : word;
  return `${start} in ${share}${bounds === null ? "" : ` (${bounds} likely)`}`;
}
