// The theme of the console and of all other pages. It runs before the first paint: a page in the
// other theme must not flash. It also draws <theme-switch>, the button that changes the theme.
{
  const place = "sightline.theme";
  const changed = "sightline-theme";
  const rays = "M8 1v1.5m0 11V15M1 8h1.5m11 0H15M3 3l1 1m8 8 1 1m0-10-1 1m-8 8-1 1";
  const themes = {
    system: {
      next: "light",
      label: "Theme: as the system. Change to light",
      path: "M2 3h12v8H2zM6 14h4M8 11v3",
    },
    light: {
      next: "dark",
      label: "Theme: light. Change to dark",
      path: `M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z${rays}`,
    },
    dark: {
      next: "system",
      label: "Theme: dark. Change to the system's",
      path: "M13.5 9.6A5.8 5.8 0 0 1 6.4 2.5a5.8 5.8 0 1 0 7.1 7.1Z",
    },
  };

  const { dataset } = document.documentElement;
  const current = () => dataset.theme ?? "system";

  function show(theme) {
    if (theme === "light" || theme === "dark") dataset.theme = theme;
    else delete dataset.theme;
    dispatchEvent(new Event(changed));
  }

  /** The theme that was chosen; what the page has, in a browser that keeps nothing. */
  function kept() {
    try {
      return localStorage.getItem(place);
    } catch {
      return current();
    }
  }

  function choose(theme) {
    show(theme);
    try {
      if (theme === "system") localStorage.removeItem(place);
      else localStorage.setItem(place, theme);
    } catch {
      // It lasts as long as the page.
    }
  }

  show(kept());
  // Chosen in another tab, or before the browser's Back returned to this page.
  addEventListener("storage", ({ key }) => {
    if (key === place || key === null) show(kept());
  });
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) show(kept());
  });

  class ThemeSwitch extends HTMLElement {
    connectedCallback() {
      if (this.firstChild === null) {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "frame-tool";
        button.addEventListener("click", () => choose(themes[current()].next));
        this.append(button);
      }
      addEventListener(changed, this);
      this.handleEvent();
    }

    disconnectedCallback() {
      removeEventListener(changed, this);
    }

    handleEvent() {
      const { label, path } = themes[current()];
      const button = this.firstChild;
      button.ariaLabel = label;
      button.title = label;
      button.innerHTML = `<svg aria-hidden="true" viewBox="0 0 16 16"><path d="${path}"/></svg>`;
    }
  }
  customElements.define("theme-switch", ThemeSwitch);
}
