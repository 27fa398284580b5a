/**
 * Runs before the first paint, as a script of its own: a page in the other theme must not flash.
 * The name of the place is that of use-theme.ts.
 */
try {
  const theme = localStorage.getItem("sightline.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset["theme"] = theme;
} catch {
  // A browser that keeps nothing shows the system's theme.
}
