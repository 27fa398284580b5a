import { useState } from "react";

const place = "sightline.theme";

/** Light or dark by hand, or as the system has it. */
export type Theme = "system" | "light" | "dark";

const themes: readonly Theme[] = ["system", "light", "dark"];

/** The theme, and a function that goes on to the next. Kept in this browser. */
export function useTheme(): readonly [Theme, () => void] {
  const [theme, setTheme] = useState<Theme>(
    () => themes.find((each) => each === document.documentElement.dataset["theme"]) ?? "system",
  );
  const next = () => {
    const chosen = themes[(themes.indexOf(theme) + 1) % themes.length] ?? "system";
    setTheme(chosen);
    applyTheme(chosen);
  };
  return [theme, next];
}

function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  try {
    if (theme === "system") localStorage.removeItem(place);
    else localStorage.setItem(place, theme);
  } catch {
    // It lasts as long as the page.
  }
}
