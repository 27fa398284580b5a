import css from "./logo.module.css";

/** The product's mark and name. */
export function Logo() {
  return (
    <span className={css["logo"]}>
      <svg aria-hidden="true" width="20" height="20" viewBox="0 0 20 20" fill="none">
        <circle cx="10" cy="10" r="8.25" stroke="currentColor" strokeWidth="1.5" />
        <path d="M1.5 13 7 9.5l4 2.5 7.5-6" stroke="currentColor" strokeWidth="2" />
        <circle cx="11" cy="12" r="2" fill="currentColor" />
      </svg>
      <span className={css["name"]}>Sightline</span>
    </span>
  );
}
