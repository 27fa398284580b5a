import { keepPage } from "../data/address.ts";
import { buttonClass } from "../parts/button.tsx";
import css from "./sign-in.module.css";

/** Leads the browser to where people sign in, from where it returns to this page. */
export function ProviderLink({ name }: { readonly name: string }) {
  return (
    <a
      className={`${buttonClass("primary")} ${css["provider"]}`}
      href="/console/person/provider"
      onClick={keepPage}
    >
      Sign in with {name}
    </a>
  );
}
