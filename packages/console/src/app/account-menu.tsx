import { useAccount } from "../data/account.ts";
import { knownAccounts } from "../data/accounts.ts";
import { changeView } from "../data/use-view.ts";
import { plainView } from "../data/view.ts";
import { Icon } from "../parts/icon.tsx";
import { Menu } from "../parts/popover.tsx";
import css from "./frame.module.css";

interface AccountMenuProps {
  readonly onAnother: () => void;
  readonly onLeave: () => void;
  readonly onKeys: () => void;
}

/** The account, the others of this browser, and the way out. */
export function AccountMenu({ onAnother, onLeave, onKeys }: AccountMenuProps) {
  const { id, session } = useAccount();
  const known = knownAccounts();
  const name = session?.account.name ?? known.find((each) => each.id === id)?.name ?? "Account";
  const others = known.filter((each) => each.id !== id);
  return (
    <Menu
      label="Account"
      trigger={(props) => (
        <button type="button" className={css["account"]} {...props}>
          <Icon name="person" />
          <span className={css["accountName"]}>{name}</span>
          <Icon name="down" />
        </button>
      )}
      groups={[
        ...(others.length === 0
          ? []
          : [
              others.map((other) => ({
                text: other.name ?? other.id,
                onSelect: () => changeView({ ...plainView, account: other.id }),
              })),
            ]),
        [
          { text: "Add an account", onSelect: onAnother },
          { text: "Keyboard shortcuts", onSelect: onKeys },
          { text: "Documentation", onSelect: () => location.assign("/docs") },
        ],
        [{ text: `Sign out of ${name}`, onSelect: onLeave }],
      ]}
    />
  );
}
