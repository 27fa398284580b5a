const properties = ["fill", "stroke"] as const;
const marginPx = 16;

/** What stands above a chart in a file, where no page around it says what it is of. */
export interface Caption {
  readonly title: string;
  /** In one line, or as many as they need. */
  readonly notes: readonly string[];
  /** What the values mean. */
  readonly definition: string;
  /** What the thick line is. */
  readonly line: string;
  /** What the dotted line is; null: there is none. */
  readonly dotted: string | null;
  /** What hollow points and dashed lines are; null: there are none. */
  readonly dashed: string | null;
  /** What each mark at the axis says, with its date. */
  readonly marked: readonly string[];
}

/**
 * A drawn chart as an SVG file of its own: colours are written out, since a file knows none of the
 * page's, and the crosshair is left out.
 */
export function svgOf(chart: SVGSVGElement, caption: Caption): string {
  const copy = chart.cloneNode(true) as SVGSVGElement;
  const originals = chart.querySelectorAll<SVGElement>("*");
  copy.querySelectorAll<SVGElement>("*").forEach((element, index) => {
    const original = originals[index];
    if (original === undefined) return;
    for (const property of properties) {
      if (element.getAttribute(property)?.includes("var(") === true) {
        element.setAttribute(property, getComputedStyle(original)[property]);
      }
    }
  });
  copy.querySelector("[data-crosshair]")?.remove();
  const { width, height } = chart.getBoundingClientRect();
  const style = getComputedStyle(chart);
  const page = getComputedStyle(document.documentElement);
  const lines = captionLines(caption, width, measureIn(style));
  const head = lines.length * lineHeightPx + 8;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width + 2 * marginPx));
  copy.setAttribute("height", String(height + head + 2 * marginPx));
  copy.setAttribute(
    "viewBox",
    `${-marginPx} ${-marginPx - head} ${width + 2 * marginPx} ${height + head + 2 * marginPx}`,
  );
  copy.setAttribute("font-family", style.fontFamily);
  copy.setAttribute("font-size", style.fontSize);
  const ground = element("rect", {
    x: -marginPx,
    y: -marginPx - head,
    width: "100%",
    height: "100%",
    fill: panelColor(chart) ?? page.backgroundColor,
  });
  const brand = [...chart.querySelectorAll("path[data-line]")].at(-1);
  const color = brand === undefined ? page.color : getComputedStyle(brand).stroke;
  const drawn = lines.flatMap((line, index) => {
    const baseline = -head + 12 + index * lineHeightPx;
    return drawnLine(line, { baseline, ink: page.color, color });
  });
  copy.prepend(ground, ...drawn);
  return new XMLSerializer().serializeToString(copy);
}

const lineHeightPx = 20;
/** A legend's sample of a line, and the space behind it. */
const samplePx = 28;

/** A line of a caption; a legend has a sample of what it explains before its text. */
export interface CaptionLine {
  readonly text: string;
  readonly kind: "title" | "note" | "line" | "dotted" | "dashed" | "marked";
}

/** A caption in lines that fit: notes are separated by dots, and a line ends between two. */
export function captionLines(
  { title, notes, definition, line, dotted, dashed, marked }: Caption,
  width: number,
  widthOf: (text: string) => number,
): readonly CaptionLine[] {
  const wrapped = (
    texts: readonly string[],
    { separator = " · ", most = width } = {},
  ): readonly string[] => {
    const lines: string[] = [];
    for (const text of texts) {
      const last = lines.at(-1);
      const longer = `${last}${separator}${text}`;
      if (last !== undefined && widthOf(longer) <= most) lines[lines.length - 1] = longer;
      else lines.push(text);
    }
    return lines;
  };
  return [
    ...wrapped(title.split(" · ")).map((text) => ({ text, kind: "title" }) as const),
    ...wrapped(notes).map((text) => ({ text, kind: "note" }) as const),
    ...wrapped(definition.split(" "), { separator: " " }).map(
      (text) => ({ text, kind: "note" }) as const,
    ),
    { text: line, kind: "line" },
    ...(dotted === null ? [] : [{ text: dotted, kind: "dotted" } as const]),
    ...(dashed === null ? [] : [{ text: dashed, kind: "dashed" } as const]),
    ...wrapped(marked, { most: width - samplePx }).map(
      (text) => ({ text, kind: "marked" }) as const,
    ),
  ];
}

function measureIn({ fontFamily, fontSize }: CSSStyleDeclaration): (text: string) => number {
  const pen = document.createElement("canvas").getContext("2d");
  if (pen === null) return ({ length }) => length * 7;
  pen.font = `600 ${fontSize} ${fontFamily}`;
  return (text) => pen.measureText(text).width;
}

interface LineStyle {
  readonly baseline: number;
  readonly ink: string;
  readonly color: string;
}

function drawnLine({ text, kind }: CaptionLine, { baseline, ink, color }: LineStyle) {
  const isLegend = kind !== "title" && kind !== "note";
  const written = element("text", {
    x: isLegend ? samplePx : 0,
    y: baseline,
    fill: ink,
    ...(kind === "title" ? { "font-weight": 600 } : {}),
  });
  written.textContent = text;
  if (!isLegend) return [written];
  const shared = { d: `M0 ${baseline - 4}h20`, stroke: color };
  if (kind === "marked") {
    return [element("path", { d: `M6 ${baseline - 4}l4-4 4 4-4 4z`, fill: ink }), written];
  }
  if (kind === "dotted") {
    const dots = { "stroke-width": 1.5, "stroke-dasharray": "2 5", "stroke-linecap": "round" };
    return [element("path", { ...shared, ...dots }), written];
  }
  if (kind === "dashed") {
    const dashes = { d: `M0 ${baseline - 4}h13`, "stroke-width": 3, "stroke-dasharray": "5 4" };
    const point = { cx: 17, cy: baseline - 4, r: 3, fill: "none", "stroke-width": 1.5 };
    return [
      element("path", { ...shared, ...dashes }),
      element("circle", { ...point, stroke: color }),
      written,
    ];
  }
  const band = { x: 0, y: baseline - 10, width: 20, height: 12, rx: 2 };
  return [
    element("rect", { ...band, fill: color, "fill-opacity": 0.16 }),
    element("path", { ...shared, "stroke-width": 3 }),
    written,
  ];
}

function element(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [each, value] of Object.entries(attributes)) made.setAttribute(each, String(value));
  return made;
}

function panelColor(chart: Element): string | null {
  const panel = chart.closest("section");
  return panel === null ? null : getComputedStyle(panel).backgroundColor;
}

/** Pixels for each px of the page: sharp on a slide. */
const scale = 2;

/** An SVG file as a PNG of twice its size. @throws Error when the browser cannot draw it. */
export async function pngOf(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.width * scale;
  canvas.height = image.height * scale;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error("The browser could not draw the picture."));
      else resolve(blob);
    }, "image/png");
  });
}
