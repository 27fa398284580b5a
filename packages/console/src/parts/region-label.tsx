import { regionName } from "../data/names.ts";
import css from "./region-label.module.css";

/** A country's code as a calm sign: flags are politics, and some systems have none. */
export function RegionSign({ code }: { readonly code: string }) {
  return <span className={css["sign"]} aria-hidden="true" data-code={code} />;
}

/** A country's name behind its sign, the same in lists and filters. */
export function RegionLabel({ code }: { readonly code: string }) {
  return (
    <span className={css["label"]}>
      <RegionSign code={code} />
      <span>{regionName(code)}</span>
    </span>
  );
}
