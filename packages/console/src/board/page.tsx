import { Notice } from "../parts/refused.tsx";

/** The accounts of a person, side by side. */
export function AccountsPage() {
  return <Notice>Accounts</Notice>;
}
