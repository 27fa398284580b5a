import type { ReactNode } from "react";
import css from "./tag.module.css";

/** What a tag means, in addition to its words. */
export type TagKind = "plain" | "accent" | "better" | "worse" | "doubt";

/** A word or two about a thing. */
export function Tag({ kind = "plain", children }: { kind?: TagKind; children: ReactNode }) {
  return <span className={`${css["tag"]} ${css[kind] ?? ""}`}>{children}</span>;
}
