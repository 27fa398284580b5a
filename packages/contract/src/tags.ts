/** The most tags of a prompt. */
export const promptTagsMax = 20;
/** The most characters of a tag. */
export const tagCharactersMax = 100;
/** The most different tags of a workspace: each is a group of a reply. */
export const workspaceTagsMax = 1_000;

/** A tag as it is compared: in any case and form of Unicode, however many spaces are in it. */
export function foldedTag(tag: string): string {
  return tag.normalize("NFKC").toLowerCase().trim().replaceAll(/\s+/g, " ");
}
