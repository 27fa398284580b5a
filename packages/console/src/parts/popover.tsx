import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
import css from "./popover.module.css";

/** What a popover's button is given. */
interface PopoverTrigger {
  readonly popoverTarget: string;
  readonly "aria-expanded": boolean;
  readonly "aria-haspopup": "dialog" | "menu";
  readonly ref: RefObject<HTMLButtonElement | null>;
}

interface PopoverProps {
  /** The button: spread what it gets over a `<button>`. */
  readonly trigger: (props: PopoverTrigger) => ReactNode;
  /** Drawn while it is open; `close` shuts it and gives focus back. */
  readonly children: (close: () => void) => ReactNode;
  readonly label: string;
  readonly kind?: "dialog" | "menu";
}

/** A native popover below its button, inside the window. Escape and a click elsewhere shut it. */
export function Popover({ trigger, children, label, kind = "dialog" }: PopoverProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (!isOpen) return undefined;
    const move = () => placeBelow(button.current, panel.current);
    move();
    // What is fetched when it opens makes it larger.
    const sizes = new ResizeObserver(move);
    if (panel.current !== null) sizes.observe(panel.current);
    addEventListener("resize", move);
    return () => {
      sizes.disconnect();
      removeEventListener("resize", move);
    };
  }, [isOpen]);
  return (
    <>
      {trigger({
        popoverTarget: id,
        "aria-expanded": isOpen,
        "aria-haspopup": kind,
        ref: button,
      })}
      <div
        ref={panel}
        id={id}
        popover="auto"
        className={css["popover"]}
        role={kind}
        aria-label={label}
        onToggle={({ newState }) => setOpen(newState === "open")}
      >
        {isOpen ? children(() => panel.current?.hidePopover()) : null}
      </div>
    </>
  );
}

const marginPx = 8;

/** Puts a popover under its button, to the left where it would leave the window. */
function placeBelow(button: HTMLElement | null, panel: HTMLElement | null): void {
  if (button === null || panel === null) return;
  const { left, bottom, top } = button.getBoundingClientRect();
  panel.style.maxHeight = "";
  const { offsetWidth, offsetHeight } = panel;
  const x = Math.max(marginPx, Math.min(left, innerWidth - offsetWidth - marginPx));
  const below = bottom + 4;
  const fits = below + offsetHeight + marginPx <= innerHeight || top < innerHeight / 2;
  panel.style.left = `${x}px`;
  panel.style.top = `${fits ? below : Math.max(marginPx, top - 4 - offsetHeight)}px`;
  panel.style.maxHeight = `${fits ? innerHeight - below - marginPx : top - 2 * marginPx}px`;
}

/** Moves focus among what can be focused in a list, with the arrow keys, Home and End. */
export function moveFocus(event: React.KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1, Home: "first", End: "last" }[event.key];
  if (step === undefined) return;
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-item]")];
  const at = items.indexOf(document.activeElement as HTMLElement);
  // In a date next to the list the arrows change the day, in a text these two move the caret.
  if (at === -1 && document.activeElement instanceof HTMLInputElement) return;
  if (event.target instanceof HTMLInputElement && event.target.type === "text") {
    if (event.key === "Home" || event.key === "End") return;
  }
  const next = step === "first" ? 0 : step === "last" ? items.length - 1 : at + Number(step);
  event.preventDefault();
  items[Math.max(0, Math.min(items.length - 1, next))]?.focus();
}

interface MenuItem {
  readonly text: ReactNode;
  readonly onSelect: () => void;
}

interface MenuProps {
  readonly label: string;
  readonly trigger: PopoverProps["trigger"];
  /** Groups of entries, with a line between them. */
  readonly groups: readonly (readonly MenuItem[])[];
}

/** A list of things to do. */
export function Menu({ label, trigger, groups }: MenuProps) {
  return (
    <Popover label={label} trigger={trigger} kind="menu">
      {(close) => <MenuList groups={groups} close={close} />}
    </Popover>
  );
}

interface MenuListProps extends Pick<MenuProps, "groups"> {
  readonly close: () => void;
  /** Above the entries, such as a search. */
  readonly head?: ReactNode;
  /** It lies in a menu, and its entries are a menu's. */
  readonly isMenu?: boolean;
}

/** What a menu opens. */
export function MenuList({ groups, close, head, isMenu = true }: MenuListProps) {
  return (
    <div className={css["menu"]} onKeyDown={moveFocus} role="presentation">
      {head}
      {groups.map((items, group) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups never move
        <div key={group} role="presentation">
          {group === 0 ? null : <hr className={css["rule"]} />}
          {items.map(({ text, onSelect }, index) => (
            <button
              // biome-ignore lint/suspicious/noArrayIndexKey: entries never move
              key={index}
              type="button"
              role={isMenu ? "menuitem" : undefined}
              data-item
              className={css["item"]}
              // biome-ignore lint/a11y/noAutofocus: the first entry of what was just opened
              autoFocus={isMenu && group === 0 && index === 0}
              onClick={() => {
                close();
                onSelect();
              }}
            >
              {text}
            </button>
          ))}
        </div>
      ))}
    </div>
  );
}
