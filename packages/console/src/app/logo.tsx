/** The product's mark and name, as on the pages of the service. */
export function Logo() {
  return (
    <span className="frame-logo">
      <svg aria-hidden="true" viewBox="0 0 20 20">
        <circle cx="10" cy="10" r="8.25" strokeWidth="1.5" />
        <path d="M1.5 13 7 9.5l4 2.5 7.5-6" strokeWidth="2" />
        <circle className="dot" cx="11" cy="12" r="2" />
      </svg>
      <span>Sightline</span>
    </span>
  );
}
