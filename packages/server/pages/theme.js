// Runs before the first paint: a page in the other theme must not flash. The console has the same place.
document.documentElement.classList.add("scripted");
try {
  const theme = localStorage.getItem("sightline.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // A browser that keeps nothing shows the system's theme.
}
