// What the pages of the documents do: menu, theme, copying, search. They can be read without it.
const one = (selector) => document.querySelector(selector);

/** The theme goes from the system's to light, to dark, and back. Kept in this browser. */
function startTheme() {
  const themes = ["system", "light", "dark"];
  const root = document.documentElement;
  const button = one("button.theme");
  const show = () => {
    const theme = root.dataset.theme ?? "system";
    button.dataset.theme = theme;
    button.title = `Theme: ${theme}`;
    button.setAttribute("aria-label", `Theme: ${theme}. Press for the next.`);
  };
  button.addEventListener("click", () => {
    const next = themes[(themes.indexOf(root.dataset.theme ?? "system") + 1) % themes.length];
    if (next === "system") delete root.dataset.theme;
    else root.dataset.theme = next;
    try {
      if (next === "system") localStorage.removeItem("sightline.theme");
      else localStorage.setItem("sightline.theme", next);
    } catch {
      // It holds for this page alone.
    }
    show();
    dispatchEvent(new Event("themechange"));
  });
  show();
}

/** On narrow screens the list of pages opens over the text. */
function startMenu() {
  const button = one("button.menu");
  const side = one(".side");
  if (side === null) {
    button.hidden = true;
    return;
  }
  const showCurrent = () => {
    const current = side.querySelector("li [aria-current]");
    const top = (current?.offsetTop ?? 0) - side.offsetTop;
    side.scrollTop = top > side.clientHeight - 80 ? top - side.clientHeight / 2 : 0;
  };
  const set = (isOpen) => {
    document.body.classList.toggle("menu-open", isOpen);
    if (isOpen) showCurrent();
    button.setAttribute("aria-expanded", String(isOpen));
  };
  button.addEventListener("click", () => set(!document.body.classList.contains("menu-open")));
  addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !document.body.classList.contains("menu-open")) return;
    set(false);
    button.focus();
  });
  showCurrent();
}

/** Each block of code gets a button that copies it. */
function startCopying() {
  for (const block of document.querySelectorAll(".code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      button.textContent = (await copied(block.querySelector("code"))) ? "Copied" : "Press Ctrl-C";
      setTimeout(() => {
        button.textContent = "Copy";
      }, 1_500);
    });
    block.append(button);
  }
}

/** Browsers give the clipboard to pages over https and of this machine; elsewhere text is selected. */
async function copied(code) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(code);
    return false;
  }
}

const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/** How well a section answers the words; 0: one of them is not in it. */
function scoreOf({ title, heading, words }, asked) {
  let score = 0;
  for (const word of asked) {
    const inTitle = wordsOf(title).some((each) => each.startsWith(word)) ? 8 : 0;
    const inHeading = wordsOf(heading).some((each) => each.startsWith(word)) ? 6 : 0;
    const inText = ` ${words}`.includes(` ${word}`) ? 1 : 0;
    if (inTitle + inHeading + inText === 0) return 0;
    score += inTitle + inHeading + inText;
  }
  return heading === "" ? score + 1 : score; // of equals the page's beginning
}

/** Search over the index, which is loaded when somebody begins to type. */
function startSearch() {
  const input = one(".find input");
  const list = one(".find .found");
  const status = one(".find [role=status]");
  let sections = null;
  let chosen = -1;
  const load = () => {
    sections ??= fetch(one(".find").dataset.index)
      .then((reply) => reply.json())
      .then((pages) =>
        pages.flatMap(({ path, title, sections: each }) =>
          each.map(([anchor, heading, words]) => ({ path, title, anchor, heading, words })),
        ),
      );
    return sections;
  };
  const close = () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
    chosen = -1;
  };
  const choose = (place) => {
    const items = [...list.children];
    if (items.length === 0) return;
    chosen = (place + items.length) % items.length;
    for (const [index, item] of items.entries()) {
      item.setAttribute("aria-selected", String(index === chosen));
    }
    items[chosen].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", items[chosen].id);
  };
  const search = async () => {
    const asked = wordsOf(input.value);
    if (asked.length === 0) return close();
    const all = await load();
    if (wordsOf(input.value).join(" ") !== asked.join(" ")) return; // typed on meanwhile
    const found = all
      .map((section) => ({ section, score: scoreOf(section, asked) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, 12);
    list.replaceChildren(...found.map(({ section }, index) => itemOf(section, index)));
    if (found.length === 0) list.append(nothingFound());
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    status.textContent = `${found.length} found`;
    if (found.length > 0) choose(0);
  };
  input.addEventListener("focus", () => void load());
  input.addEventListener("input", () => void search());
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      if (list.hidden) input.blur();
      close();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      choose(chosen + (event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Enter") {
      const link = list.children[chosen]?.querySelector("a");
      if (list.hidden || link == null) return;
      close();
      location.assign(link.href);
    } else return;
    event.preventDefault();
  });
  addEventListener("click", ({ target }) => {
    if (target.closest?.(".find") === null || target.closest?.(".found a") != null) close();
  });
  addEventListener("keydown", (event) => {
    const isTyping = event.target.closest?.("input, textarea, select, [contenteditable]") != null;
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
}

function itemOf({ path, title, anchor, heading }, index) {
  const item = document.createElement("li");
  item.id = `found-${index}`;
  item.setAttribute("role", "option");
  const link = document.createElement("a");
  link.href = anchor === "" ? path : `${path}#${anchor}`;
  link.tabIndex = -1;
  const name = document.createElement("b");
  name.textContent = heading === "" ? title : heading;
  link.append(name);
  if (heading !== "") {
    const page = document.createElement("span");
    page.textContent = title;
    link.append(page);
  }
  item.append(link);
  return item;
}

function nothingFound() {
  const item = document.createElement("li");
  item.className = "nothing";
  item.textContent = "Nothing found. Try fewer words.";
  return item;
}

startTheme();
startMenu();
startCopying();
startSearch();
