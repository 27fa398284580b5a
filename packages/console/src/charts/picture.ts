const properties = ["fill", "stroke"] as const;
const marginPx = 16;

/**
 * A drawn chart as an SVG file of its own: colours are written out, since a file knows none of the
 * page's, and the crosshair is left out.
 */
export function svgOf(chart: SVGSVGElement, title: string): string {
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
  const head = 28;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width + 2 * marginPx));
  copy.setAttribute("height", String(height + head + 2 * marginPx));
  copy.setAttribute(
    "viewBox",
    `${-marginPx} ${-marginPx - head} ${width + 2 * marginPx} ${height + head + 2 * marginPx}`,
  );
  copy.setAttribute("font-family", style.fontFamily);
  copy.setAttribute("font-size", style.fontSize);
  const ground = rectangle(`${-marginPx}`, `${-marginPx - head}`);
  ground.setAttribute("fill", panelColor(chart) ?? page.backgroundColor);
  const text = document.createElementNS("http://www.w3.org/2000/svg", "text");
  text.textContent = title;
  text.setAttribute("y", String(-head + 12));
  text.setAttribute("font-weight", "600");
  text.setAttribute("fill", page.color);
  copy.prepend(ground, text);
  return new XMLSerializer().serializeToString(copy);
}

function rectangle(x: string, y: string): SVGElement {
  const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  rect.setAttribute("x", x);
  rect.setAttribute("y", y);
  rect.setAttribute("width", "100%");
  rect.setAttribute("height", "100%");
  return rect;
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
