import type { LinksResponse, ListedLink } from "@sightline/client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useAccount, useScope } from "../data/account.ts";
import { countText, dateText } from "../data/format.ts";
import { useChange, useManaged } from "../data/managed.ts";
import { repliesOf } from "../data/queries.ts";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog } from "../parts/form-dialog.tsx";
import { Panel } from "../parts/panel.tsx";
import { Missing, Refused } from "../parts/refused.tsx";
import { announce } from "../parts/save.ts";
import { type Column, Table } from "../parts/table.tsx";
import { Tag } from "../parts/tag.tsx";
import { PageButtons, useTurnedPages } from "../parts/turned-pages.tsx";

/** The account's share links, newest first. */
export function Links() {
  const mayManage = useScope("manage");
  const pages = useTurnedPages();
  const [revoked, setRevoked] = useState<ListedLink | null>(null);
  const { cursor } = pages;
  const page = useManaged<LinksResponse>({
    name: cursor === undefined ? "links" : `links ${cursor}`,
    enabled: mayManage,
    ask: ({ client }, signal) => client.links.list({ cursor }, { signal }),
  });
  if (!mayManage) return <Missing scope="manage" what="Listing and creating share links" />;
  const next = page.data?.nextCursor ?? null;
  return (
    <>
      <Panel
        title="Share links"
        query={page}
        flush
        emptyOf={({ links }) => (links.length === 0 ? empty : null)}
      >
        {({ links }) => (
          <>
            <Table
              caption="Share links, newest first"
              rows={links}
              keyOf={({ linkId }) => linkId}
              columns={columnsOf(setRevoked)}
            />
            <PageButtons pages={pages} next={next} />
          </>
        )}
      </Panel>
      {revoked === null ? null : <Revoke link={revoked} onClose={() => setRevoked(null)} />}
    </>
  );
}

const empty = {
  title: "Nothing is shared",
  text:
    "Share on Overview, Portrayal, Sources or Prompts makes an address of what is shown, and on " +
    "Reports of a report that was made.",
};

const kindTexts: Readonly<Record<ListedLink["kind"], string>> = {
  view: "page",
  csv: "CSV",
  image: "picture",
  report: "report",
};

function shownText({ kind, view, hasPassword, showsEvidence }: ListedLink): string {
  const kindText = kindTexts[kind] ?? kind;
  return [
    ...(view === null
      ? [`${kindText} as it was made`]
      : [`${view.page} as ${kindText}`, view.period.replace("..", " to ")]),
    ...(hasPassword ? ["password"] : []),
    ...(showsEvidence ? ["evidence"] : []),
  ].join(", ");
}

function columnsOf(onRevoke: (link: ListedLink) => void): readonly Column<ListedLink>[] {
  return [
    {
      key: "name",
      title: "Name",
      main: true,
      cell: ({ name, createdBy }) => (
        <>
          <div>{name}</div>
          <span className="small quiet">by {createdBy || "a key without a name"}</span>
        </>
      ),
    },
    { key: "shows", title: "Shows", drops: 3, cell: shownText },
    {
      key: "used",
      title: "Last opened",
      drops: 2,
      cell: ({ lastUsedAt }) =>
        lastUsedAt === null ? (
          <span className="quiet">never</span>
        ) : (
          dateText(lastUsedAt, "instant")
        ),
    },
    { key: "uses", title: "Times", figure: true, drops: 1, cell: ({ uses }) => countText(uses) },
    { key: "state", title: "Valid", drops: 4, cell: (link) => <State link={link} /> },
    {
      key: "revoke",
      title: <span className="visually-hidden">Revoke</span>,
      figure: true,
      cell: (link) =>
        link.state === "valid" ? (
          <Button aria-label={`Revoke ${link.name}`} onClick={() => onRevoke(link)}>
            Revoke
          </Button>
        ) : null,
    },
  ];
}

function State({ link }: { readonly link: ListedLink }) {
  const { state, revokedAt, expiresAt } = link;
  if (state === "revoked")
    return <Tag>revoked {revokedAt === null ? "" : dateText(revokedAt)}</Tag>;
  if (state === "expired")
    return <Tag>expired {expiresAt === null ? "" : dateText(expiresAt)}</Tag>;
  if (state !== "valid") return <Tag>ended with its maker</Tag>;
  return <span>{expiresAt === null ? "until revoked" : `until ${dateText(expiresAt)}`}</span>;
}

interface RevokeProps {
  readonly link: ListedLink;
  readonly onClose: () => void;
}

/** Asks before a link is revoked. */
function Revoke({ link, onClose }: RevokeProps) {
  const account = useAccount();
  const queries = useQueryClient();
  const { failure, run } = useChange(async ({ client }) => {
    await client.links.revoke(link.linkId);
    void queries.invalidateQueries({ queryKey: repliesOf(account) });
    announce("Revoked.");
    onClose();
  });
  return (
    <ConfirmDialog title={`Revoke ${link.name}?`} action="Revoke" onConfirm={run} onClose={onClose}>
      <p>Its address shows nothing from now on, also where a page or a spreadsheet reads it.</p>
      <Refused error={failure} />
    </ConfirmDialog>
  );
}
