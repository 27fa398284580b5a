/** A picture of lines in the colour of the text around it. */
function svg(size: number, inside: string, name = ""): string {
  const attributes = [
    ...(name === "" ? [] : [`class="${name}"`]),
    `aria-hidden="true" width="${size}" height="${size}" viewBox="0 0 20 20"`,
    'fill="none" stroke="currentColor" stroke-width="1.5"',
    'stroke-linecap="round" stroke-linejoin="round"',
  ];
  return `<svg ${attributes.join(" ")}>${inside}</svg>`;
}

/** The pictures of the frame, as HTML. */
export const icons = {
  logo: svg(
    20,
    '<circle cx="10" cy="10" r="8.25"/><path stroke-width="2" d="M1.5 13 7 9.5l4 2.5 7.5-6"/>' +
      '<circle cx="11" cy="12" r="2" fill="currentColor" stroke="none"/>',
  ),
  menu: svg(20, '<path d="M3 5.5h14M3 10h14M3 14.5h14"/>'),
  search: svg(16, '<circle cx="9" cy="9" r="6"/><path d="m13.5 13.5 4 4"/>'),
  themes:
    svg(
      20,
      '<circle cx="10" cy="10" r="7"/><path d="M10 3a7 7 0 0 1 0 14z" fill="currentColor"/>',
      "system",
    ) +
    svg(
      20,
      '<circle cx="10" cy="10" r="3.5"/><path d="M10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18' +
        'M4.3 4.3l1.1 1.1M14.6 14.6l1.1 1.1M4.3 15.7l1.1-1.1M14.6 5.4l1.1-1.1"/>',
      "light",
    ) +
    svg(20, '<path d="M16.5 12A7 7 0 0 1 8 3.5a7 7 0 1 0 8.5 8.5z"/>', "dark"),
};

/** The pages' icon: the product's mark. */
export const pageIcon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20" fill="none"
 stroke="#0b8aad"><circle cx="10" cy="10" r="8.25" stroke-width="1.75"/>
<path stroke-width="2.25" d="M1.5 13 7 9.5l4 2.5 7.5-6"/>
<circle cx="11" cy="12" r="2.25" fill="#0b8aad" stroke="none"/></svg>
`;
