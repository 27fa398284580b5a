import { type ReactNode, Suspense } from "react";
import { type DraftEditor, useDraft } from "../accounts/draft-store.ts";
import { Entities } from "../accounts/entities.tsx";
import { FileCard } from "../accounts/file-card.tsx";
import { Prompts } from "../accounts/prompts.tsx";
import { useWorkspaceFile } from "../accounts/queries.ts";
import { SaveBar } from "../accounts/save-bar.tsx";
import { Imports } from "../answers/imports.tsx";
import { AuditLog } from "../audit/log.tsx";
import { Collection } from "../collection/collection.tsx";
import { useAccount, useScope } from "../data/account.ts";
import { later } from "../data/later.ts";
import { useWorkspace } from "../data/queries.ts";
import type { Session } from "../data/session.ts";
import { addressOf, changeView, useView } from "../data/use-view.ts";
import { Hooks } from "../hooks/hooks.tsx";
import { Keys } from "../keys/keys.tsx";
import { Links } from "../links/links.tsx";
import { Service } from "../operations/service.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { Failure } from "../parts/panel.tsx";
import { Missing, Notice } from "../parts/refused.tsx";
import { useChosenInside, useFading } from "../parts/sideways.ts";
import { People } from "../people/people.tsx";
import css from "./page.module.css";
import { type Section, sections, sectionsFor } from "./sections.ts";
import { Start } from "./start.tsx";

/** Few label, and those read for long. */
const Labels = later(async () => (await import("../answers/labels.tsx")).Labels);

/** What is tracked, how answers come in, and who may ask. */
export function SetupPage() {
  const { session } = useAccount();
  const workspace = useWorkspace();
  if (session?.person?.role !== "viewer") return <SetupSections session={session} />;
  return (
    <>
      <PageHead title="Setup" of={workspace.data?.brand.name} />
      <div className={css["told"]}>
        <Notice>
          Managers and owners of {session.account.name} change what is tracked and collected; you
          are a <b>viewer</b>, who sees every other page. An owner changes roles.
        </Notice>
      </div>
    </>
  );
}

function SetupSections({ session }: { readonly session: Session | null }) {
  const { own } = useView();
  const workspace = useWorkspace();
  const editor = useDraft();
  const answersCount = workspace.data?.answers.count;
  // Steps are shown as long as one is to be done. Until that is known nothing is chosen: a form
  // that a reader opens in what is shown meanwhile would go with it.
  const isBegun = answersCount === undefined || editor === null;
  const isWhole = !isBegun && answersCount > 0 && editor.draft.prompts.length > 0;
  const reached = session === null ? [] : sectionsFor(session);
  const names = reached.filter((name) => name !== "start" || !(isBegun || isWhole));
  // A link may name a part that the role does not reach, which then says so.
  const chosen = (Object.keys(sections) as Section[]).find(
    (name) => name === own["tab"] && (name !== "start" || names.includes(name)),
  );
  const first = names.includes("start") ? "start" : "brand";
  const section = chosen ?? (isBegun ? null : first);
  return (
    <>
      <PageHead title="Setup" of={workspace.data?.brand.name} />
      <div className={css["page"]}>
        <SectionList names={names} section={section} />
        <div className={css["section"]}>
          <Content section={section} editor={editor} answersCount={answersCount ?? 0} />
        </div>
      </div>
      {editor === null ? null : <SaveBar editor={editor} />}
    </>
  );
}

interface SectionListProps {
  readonly names: readonly Section[];
  readonly section: Section | null;
}

function SectionList({ names, section }: SectionListProps) {
  const nav = useChosenInside<HTMLElement>(`${section} ${names.length}`);
  const fading = useFading(nav);
  return (
    <nav ref={nav} className={`${css["nav"]} ${fading}`} aria-label="Sections of Setup">
      {names.map((name) => {
        const change = { own: { tab: name } };
        return (
          <a
            key={name}
            href={addressOf(change)}
            aria-current={name === section ? "true" : undefined}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey) return;
              event.preventDefault();
              changeView(change);
            }}
          >
            {sections[name]}
          </a>
        );
      })}
    </nav>
  );
}

interface ContentProps {
  /** Null: not known yet. */
  readonly section: Section | null;
  readonly editor: DraftEditor | null;
  readonly answersCount: number;
}

function Content({ section, editor, answersCount }: ContentProps): ReactNode {
  if (section === null) return <Waiting />;
  if (section === "collection") return <Collection />;
  if (section === "imports") return <Imports />;
  if (section === "labels") {
    return (
      <Suspense fallback={<Waiting />}>
        <Labels />
      </Suspense>
    );
  }
  if (section === "people") return <People />;
  if (section === "links") return <Links />;
  if (section === "keys") return <Keys />;
  if (section === "hooks") return <Hooks />;
  if (section === "audit") return <AuditLog />;
  if (section === "service") return <Service />;
  return (
    <Tracked editor={editor}>
      {(ready, mayChange) =>
        section === "start" ? (
          <Start editor={ready} answersCount={answersCount} />
        ) : (
          <>
            <Missing scope="manage" what="Changing what is tracked" />
            {section === "brand" ? (
              <Entities editor={ready} mayChange={mayChange} />
            ) : (
              <Prompts editor={ready} mayChange={mayChange} />
            )}
            <FileCard mayChange={mayChange} />
          </>
        )
      }
    </Tracked>
  );
}

interface TrackedProps {
  readonly editor: DraftEditor | null;
  readonly children: (editor: DraftEditor, mayChange: boolean) => ReactNode;
}

/** What needs to know what is tracked. */
function Tracked({ editor, children }: TrackedProps) {
  const mayChange = useScope("manage");
  return editor === null ? <Waiting /> : children(editor, mayChange);
}

/** In place of what needs both replies, until they are there. */
function Waiting() {
  const [workspace, file] = [useWorkspace(), useWorkspaceFile()];
  const { error, refetch } = workspace.error === null ? file : workspace;
  if (error !== null) return <Failure error={error} retry={refetch} />;
  return <div className={css["waiting"]} aria-busy="true" />;
}
