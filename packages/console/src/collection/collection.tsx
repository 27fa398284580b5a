import type { CollectionsResponse } from "@sightline/client";
import { useScope } from "../data/account.ts";
import { changeOwn, useView } from "../data/use-view.ts";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { Missing } from "../parts/missing.tsx";
import setup from "../setup/setup.module.css";
import { AskDrawer } from "./ask-drawer.tsx";
import { GuideLink } from "./guide-link.tsx";
import { NextSlots } from "./next-slots.tsx";
import { useCollections, usePublished } from "./queries.ts";
import { Spend } from "./spend.tsx";
import { Sweeps } from "./sweeps.tsx";
import { Vendors } from "./vendors.tsx";

/** What providers were asked, what comes next, and a way to ask now. */
export function Collection() {
  const mayManage = useScope("manage");
  const list = useCollections(mayManage);
  const { own } = useView();
  usePublished(list.data);
  if (!mayManage)
    return <Missing scope="manage" what="Asking providers, and seeing how it goes," />;
  return (
    <>
      <NobodyCollects data={list.data} />
      <Sweeps
        list={list}
        open={own["open"] ?? null}
        tools={
          <Button kind="primary" onClick={() => changeOwn({ ask: "now" })}>
            Ask now
          </Button>
        }
      />
      {/* Nothing is known: the first panel says why, once. */}
      {list.data === undefined && list.error !== null ? null : (
        <>
          <NextSlots list={list} />
          <Vendors list={list} />
          <Spend list={list} />
        </>
      )}
      {own["ask"] === "now" ? <AskDrawer onClose={() => changeOwn({ ask: "" })} /> : null}
    </>
  );
}

/** Says that nothing is asked, and how to switch it on. */
function NobodyCollects({ data }: { readonly data: CollectionsResponse | undefined }) {
  if (data === undefined || data.collectors > 0) return null;
  return (
    <p className={setup["missing"]}>
      <Icon name="warn" />
      <span>
        No process collects, so nothing is asked. Set the key of a provider, such as{" "}
        <code>SIGHTLINE_OPENAI_KEY</code>, where the service runs, and start it again, without{" "}
        <code>--collect off</code>. <GuideLink text="How collection works" />
      </span>
    </p>
  );
}
