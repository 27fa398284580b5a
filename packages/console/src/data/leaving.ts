/**
 * What would be lost with the tab. A draft outlives a reload, since it is kept with the tab, and an
 * upload, a table that is being mapped or a secret that is shown does not; none outlives the tab.
 */
type Loss = "draft" | "upload" | "sheet" | "secret";

const losses = new Set<Loss>();
const ask = (event: BeforeUnloadEvent): void => event.preventDefault();

/** Has the browser ask before the tab is closed or loaded again, while something would be lost. */
export function askBeforeLeaving(loss: Loss, isLost: boolean): void {
  if (isLost) losses.add(loss);
  else losses.delete(loss);
  if (losses.size > 0) addEventListener("beforeunload", ask);
  else removeEventListener("beforeunload", ask);
}

/** Loads the console again, as a reader chose: only what a reload itself loses is asked about. */
export function loadAgain(): void {
  askBeforeLeaving("draft", false);
  location.reload();
}
