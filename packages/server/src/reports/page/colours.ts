type Channels = readonly [red: number, green: number, blue: number];

/** Sightline's own colour. */
const ownColour = "#1f5fbf";

/** The grounds of a page, as its style has them. */
export const grounds = { light: "#ffffff", dark: "#14171c" } as const;

/** WCAG 2.2: of texts, and of lines that carry meaning. */
const textContrast = 4.5;
const lineContrast = 3;

/** The colours that follow from a report's, on one ground. */
export interface Tones {
  /** Of texts and small marks. */
  readonly text: string;
  /** Of lines and bars. */
  readonly line: string;
}

/**
 * A report's colour, as far from the ground as it has to be to be seen: darker on white, lighter
 * on dark.
 * @param colour #rrggbb; null: ours.
 */
export function tonesOf(colour: string | null, ground: keyof typeof grounds): Tones {
  const channels = channelsOf(colour ?? ownColour);
  return {
    text: hexOf(contrasting(channels, grounds[ground], textContrast)),
    line: hexOf(contrasting(channels, grounds[ground], lineContrast)),
  };
}

/** The contrast of two colours, 1 to 21 (WCAG 2.2). */
export function contrastOf(one: string, other: string): number {
  const [low = 0, high = 0] = [one, other]
    .map((colour) => luminance(channelsOf(colour)))
    .toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** The nearest colour on the way to black or white, away from the ground, that contrasts enough. */
function contrasting(channels: Channels, ground: string, least: number): Channels {
  const away = luminance(channelsOf(ground)) > 0.5 ? 0 : 255;
  for (let step = 0; step <= stepsMax; step++) {
    const [red, green, blue] = channels.map((each) =>
      Math.round(each + ((away - each) * step) / stepsMax),
    );
    const moved = [red ?? 0, green ?? 0, blue ?? 0] as const;
    if (contrastOf(hexOf(moved), ground) >= least) return moved;
  }
  return [away, away, away];
}

const stepsMax = 50;

function channelsOf(hex: string): Channels {
  const number = Number.parseInt(hex.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

function hexOf(channels: Channels): string {
  return `#${channels.map((each) => each.toString(16).padStart(2, "0")).join("")}`;
}

function luminance(channels: Channels): number {
  const [red = 0, green = 0, blue = 0] = channels.map((each) => {
    const share = each / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
