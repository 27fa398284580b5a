import type { WorkspaceResponse } from "@sightline/client";
import { Tag } from "../../parts/tag.tsx";
import type { ListedSource } from "../source-questions.ts";
import css from "./sources.module.css";

/** The classes of sources, in words. */
export const classTexts: Readonly<Record<string, string>> = {
  own: "Own",
  competitor: "Competitor",
  thirdParty: "Third party",
};

/** What kind of site a source is of, in words. */
export const kindTexts: Readonly<Record<string, string>> = {
  editorial: "Editorial",
  reference: "Reference",
  forum: "Forum",
  video: "Video",
  social: "Social",
  review: "Reviews",
  shop: "Shop",
  government: "Government",
  education: "Education",
  code: "Code",
  "press-release": "Press release",
  other: "Other",
};

/** What a page is, in words. */
export const formTexts: Readonly<Record<string, string>> = {
  list: "List",
  comparison: "Comparison",
  review: "Review",
  "how-to": "How-to",
  documentation: "Documentation",
  product: "Product",
  discussion: "Discussion",
  video: "Video",
  other: "Other",
};

interface SourceClassProps {
  readonly source: ListedSource;
  readonly workspace: WorkspaceResponse;
}

/** Whose a source is. */
export function SourceClass({ source, workspace }: SourceClassProps) {
  const { class: its } = source;
  const text = classTexts[its] ?? its;
  const kind = kindTexts[source.sourceClass] ?? source.sourceClass;
  if (its === "thirdParty") {
    return (
      <span className="quiet small">
        {text}
        {source.sourceClass === "other" ? "" : `, ${kind.toLowerCase()}`}
      </span>
    );
  }
  return (
    <span className={css["class"]}>
      <Tag kind={its === "own" ? "accent" : "plain"}>{text}</Tag>
      <span className="small quiet">{its === "own" ? null : ownerOf(source, workspace)}</span>
    </span>
  );
}

/** The name of the entity whose a source is; null: of no tracked entity. */
export function ownerOf({ entityId }: ListedSource, workspace: WorkspaceResponse): string | null {
  const { brand, competitors } = workspace;
  return [brand, ...competitors].find(({ id }) => id === entityId)?.name ?? null;
}
