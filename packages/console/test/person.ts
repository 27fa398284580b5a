import assert from "node:assert/strict";
import type { Download, Locator, Page } from "playwright-core";
import { settled } from "./visitor.ts";

/** Where something is looked for: the page, or a part of it such as a dialog. */
type Place = Page | Locator;

type Role = Parameters<Page["getByRole"]>[0];

/** What is pressed: by its role and its name, as it is seen and as screen readers say it. */
export type Named = readonly [role: Role, name: string | RegExp, within?: Place];

/** A file as it is chosen in the system's own dialog. */
export interface ChosenFile {
  readonly name: string;
  readonly content: string | Uint8Array;
}

/** What is seen of a part of a page, as lines. */
export async function seenText(part: Locator): Promise<string> {
  return (await part.allInnerTexts()).join("\n");
}

/** What a page is used with. */
export type By = "mouse" | "finger" | "keyboard";

/** The keys that move among the items of what is a single stop of the Tab key. */
const movers: Partial<Record<Role, string>> = {
  tab: "ArrowRight",
  radio: "ArrowDown",
  menuitem: "ArrowDown",
};
/** More stops than the longest page has: what is further away is not reached. */
const stopsMax = 300;

/**
 * Whether an element has the focus, or an item of the same list as it has: `here`, `near`, `away`.
 */
const focusOf = (element: Element): string => {
  const at = element.ownerDocument.activeElement;
  if (at === element) return "here";
  const list = element.closest(
    "[role=tablist], [role=menu], fieldset, [role=radiogroup], [popover]",
  );
  const isAlike = at?.matches("[role=tab], [role=menuitem], [type=radio]") === true;
  return isAlike && list?.contains(at) === true ? "near" : "away";
};

/**
 * Somebody in front of a page, who does what people can, and nothing else: press what has a name,
 * type, choose, use keys. There is no address to type, no terminal and no API. Each act is a step,
 * and steps are counted.
 */
export class Person {
  readonly page: Page;
  readonly #by: By;
  #steps = 0;

  constructor(page: Page, by: By = "mouse") {
    this.page = page;
    this.#by = by;
  }

  /** The steps since this was last asked. */
  takeSteps(): number {
    const steps = this.#steps;
    this.#steps = 0;
    return steps;
  }

  /** What has a name; a text is the whole name. */
  find([role, name, within = this.page]: Named): Locator {
    return within.getByRole(role, { name, exact: typeof name === "string" });
  }

  /** Opens a link that somebody gave. */
  async open(link: string): Promise<void> {
    this.#steps += 1;
    await this.page.goto(link);
  }

  /** Clicks something, taps it, or gets there by keys. Of several with that name, the first. */
  async press(...named: Named): Promise<void> {
    this.#steps += 1;
    const [role] = named;
    const found = this.find(named).first();
    if (this.#by === "mouse") return found.click();
    if (this.#by === "finger") return found.tap();
    await this.#reach(found, movers[role] ?? "Tab");
    const isBox = role === "radio" || role === "checkbox";
    // An arrow has chosen a radio button already, unless it is one of a list that is searched.
    if (role === "radio" && (await found.isChecked())) return;
    await this.page.keyboard.press(isBox ? "Space" : "Enter");
  }

  /** Gets the focus to something by the Tab key, and by arrows among the items of a list. */
  async #reach(found: Locator, mover: string): Promise<void> {
    await found.waitFor();
    for (let stops = 0; stops < stopsMax; stops++) {
      const focus = await found.evaluate(focusOf);
      if (focus === "here") return;
      await this.page.keyboard.press(focus === "near" ? mover : "Tab");
    }
    throw new Error(`${await found.evaluate((each) => each.outerHTML)} is not reached by keys`);
  }

  /** Presses, and waits until the page has what it asks for then. */
  async pressAndWait(...named: Named): Promise<void> {
    await this.press(...named);
    await settled(this.page);
  }

  /** Taps a place of a drawing. */
  async tapAt(
    drawing: Locator,
    position: { readonly x: number; readonly y: number },
  ): Promise<void> {
    this.#steps += 1;
    await drawing.tap({ position });
  }

  /** Uses a key, such as `Escape`. */
  async key(...keys: readonly string[]): Promise<void> {
    for (const each of keys) {
      this.#steps += 1;
      await this.page.keyboard.press(each);
    }
  }

  /** Types or pastes into a field, in place of what it holds. */
  async write(field: string | RegExp, text: string, within: Place = this.page): Promise<void> {
    this.#steps += 1;
    const found = within.getByLabel(field, { exact: true });
    if (this.#by !== "keyboard") return found.fill(text);
    await this.#reach(found, "Tab");
    await this.page.keyboard.press("Control+A");
    await this.page.keyboard.insertText(text);
  }

  /** Chooses from a list that the browser draws. */
  async choose(field: string | RegExp, text: string, within: Place = this.page): Promise<void> {
    this.#steps += 1;
    const found = within.getByLabel(field, { exact: true });
    if (this.#by === "keyboard") {
      await this.#reach(found, "Tab");
      await this.page.keyboard.type(text);
    } else await found.selectOption({ label: text });
  }

  /** Presses a button that asks for files, and chooses some: two steps. */
  async chooseFiles(files: readonly ChosenFile[], ...named: Named): Promise<void> {
    const [chooser] = await Promise.all([
      this.page.waitForEvent("filechooser"),
      this.press(...named),
    ]);
    this.#steps += 1;
    await chooser.setFiles(
      files.map(({ name, content }) => ({
        name,
        mimeType: "application/octet-stream",
        buffer: Buffer.from(content),
      })),
    );
  }

  /** Presses what saves a file. */
  async save(...named: Named): Promise<Download> {
    const [download] = await Promise.all([
      this.page.waitForEvent("download"),
      this.press(...named),
    ]);
    return download;
  }

  /** Waits until something with a name is in sight. */
  async sees(...named: Named): Promise<Locator> {
    const found = this.find(named).first();
    await found.waitFor();
    return found;
  }

  /** Waits until a text is in sight. */
  async reads(text: string | RegExp, within: Place = this.page): Promise<void> {
    await within.getByText(text).filter({ visible: true }).first().waitFor();
  }
}

/** A task: how many steps it takes, and how it is done. */
export interface PersonTask<Stage> {
  readonly steps: number;
  readonly run: (person: Person, stage: Stage) => Promise<void>;
}

/** Does a task, and compares its steps. */
export async function doTask<Stage>(
  { steps, run }: PersonTask<Stage>,
  person: Person,
  stage: Stage,
): Promise<void> {
  person.takeSteps();
  await run(person, stage);
  assert.equal(person.takeSteps(), steps, "steps");
}
