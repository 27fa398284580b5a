interface DotsProps {
  readonly hits: number;
  readonly answers: number;
}

/** Dots at most; more answers than these become a bar. */
const dotsMax = 96;
const perRow = 24;
const stepPx = 8;

/** A dot for each answer, filled where it counts; a bar where there are too many to see. */
export function Dots({ hits, answers }: DotsProps) {
  const width = perRow * stepPx;
  if (answers > dotsMax) {
    const part = answers === 0 ? 0 : hits / answers;
    return (
      <svg aria-hidden="true" width="100%" height="8" viewBox={`0 0 ${width} 8`}>
        <rect width={width} height="8" rx="4" fill="var(--line)" />
        <rect width={width * part} height="8" rx="4" fill="currentColor" />
      </svg>
    );
  }
  const rows = Math.max(1, Math.ceil(answers / perRow));
  return (
    <svg
      aria-hidden="true"
      width="100%"
      height={rows * stepPx}
      viewBox={`0 0 ${width} ${rows * stepPx}`}
      preserveAspectRatio="xMinYMid meet"
    >
      {Array.from({ length: answers }, (_, index) => (
        <circle
          // biome-ignore lint/suspicious/noArrayIndexKey: a dot is its place
          key={index}
          cx={(index % perRow) * stepPx + 4}
          cy={Math.floor(index / perRow) * stepPx + 4}
          r={index < hits ? 3 : 2.5}
          fill={index < hits ? "currentColor" : "none"}
          stroke={index < hits ? "none" : "var(--line-strong)"}
        />
      ))}
    </svg>
  );
}
