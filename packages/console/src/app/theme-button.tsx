import { IconButton } from "../parts/button.tsx";
import { useTheme } from "./use-theme.ts";

const looks = {
  system: { icon: "screen", label: "Theme: as the system. Change to light" },
  light: { icon: "sun", label: "Theme: light. Change to dark" },
  dark: { icon: "moon", label: "Theme: dark. Change to the system's" },
} as const;

/** Goes from the system's theme to light, to dark, and back. */
export function ThemeButton() {
  const [theme, next] = useTheme();
  return <IconButton {...looks[theme]} onClick={next} />;
}
