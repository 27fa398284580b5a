const paths = {
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10ZM10.6 10.6 14 14",
  down: "M4 6l4 4 4-4",
  right: "M6 4l4 4-4 4",
  left: "M10 4 6 8l4 4",
  close: "M4 4l8 8M12 4l-8 8",
  check: "M3 8.5 6.5 12 13 4.5",
  plus: "M8 3v10M3 8h10",
  rise: "M8 13V3M4 7l4-4 4 4",
  fall: "M8 3v10M4 9l4 4 4-4",
  copy: "M6 6h7v7H6zM3 10V3h7",
  download: "M8 2v8M5 7l3 3 3-3M3 13h10",
  upload: "M8 11V3M5 6l3-3 3 3M3 13h10",
  out: "M7 4H4v8h8V9M9 3h4v4M13 3 8 8",
  info: "M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4ZM8 7.5v3.4M8 5v.1",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  warn: "M8 2 1.5 13.5h13L8 2ZM8 6.5v3.5M8 12v.2",
  person: "M8 8a2.8 2.8 0 1 0 0-5.6A2.8 2.8 0 0 0 8 8ZM2.8 14a5.2 5.2 0 0 1 10.4 0",
} as const;

/** The name of a sign. */
export type IconName = keyof typeof paths;

/** A sign of 16 px, drawn in the colour of the text. It says nothing to a screen reader. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      aria-hidden="true"
      fill="none"
      height="16"
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
      strokeWidth={name === "more" ? 2.4 : 1.5}
      viewBox="0 0 16 16"
      width="16"
    >
      <path d={paths[name]} />
    </svg>
  );
}
