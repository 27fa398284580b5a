import { grounds, tonesOf } from "./colours.ts";

const otherColours = {
  light:
    "--ink:#1b1f24;--soft:#565e68;--rule:#d9dde2;--field:#f5f6f8;--good:#0b6b3a;" +
    "--bad:#a3262a;--other-0:#6b5b95;--other-1:#8a5a00;--other-2:#00707a;--other-3:#666d75",
  dark:
    "--ink:#e8eaed;--soft:#a9b1bb;--rule:#333a44;--field:#1d2229;--good:#63c996;" +
    "--bad:#f18f8f;--other-0:#b7a8e0;--other-1:#d9ab5c;--other-2:#5fc3cc;--other-3:#9aa3ad",
} as const;

/** Colours of a ground, as variables. */
function colours(colour: string | null, ground: keyof typeof grounds): string {
  const { text, line } = tonesOf(colour, ground);
  return `--ground:${grounds[ground]};--accent:${text};--line:${line};${otherColours[ground]}`;
}

/**
 * The style of a page: light or dark as the reader's screen is, always light on paper.
 * @param colour #rrggbb; null: ours.
 */
export function pageStyle(colour: string | null): string {
  const light = colours(colour, "light");
  return `:root{color-scheme:light dark;${light}}
@media screen and (prefers-color-scheme:dark){:root{${colours(colour, "dark")}}}
${screenStyle}
@media print{:root{color-scheme:light;${light}}
${printStyle}}`;
}

const screenStyle = `*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0 auto;padding:2rem 1.25rem 3rem;max-width:64rem;background:var(--ground);
color:var(--ink);
font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;
overflow-wrap:break-word}
header{border-bottom:3px solid var(--line);padding-bottom:1rem}
.logo{display:block;max-width:14rem;max-height:4rem;margin-bottom:1rem}
h1{font-size:1.9rem;line-height:1.2;margin:0;color:var(--accent)}
h2{font-size:1.3rem;line-height:1.3;margin:2.2rem 0 .6rem;padding-top:.2rem}
h3{font-size:1.02rem;margin:1.4rem 0 .4rem}
p{margin:.5rem 0;max-width:48rem}
.subtitle{font-size:1.1rem;color:var(--soft);margin:.3rem 0 0}
h1,h3,p,dd,li{overflow-wrap:anywhere}
.facts,.notes{margin:.8rem 0 0;display:grid;gap:.3rem}
.facts>div,.notes>div{display:grid;grid-template-columns:11rem minmax(0,1fr);gap:.75rem}
dt{color:var(--soft)}
dd{margin:0}
.said{border-left:3px solid var(--line);padding:.1rem 0 .1rem .9rem;margin:1rem 0;
white-space:pre-line}
.warning{background:var(--field);border:1px solid var(--bad);padding:.6rem .9rem}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(10.2rem,1fr));gap:.75rem;
margin:1rem 0}
.tile{border:1px solid var(--rule);border-top:3px solid var(--line);padding:.7rem .8rem;
background:var(--field)}
.tile dt{font-weight:600;color:var(--ink)}
.large{font-size:1.65rem;font-weight:650;line-height:1.25;font-variant-numeric:tabular-nums}
.tile .meaning{font-size:.8rem;color:var(--soft);margin-top:.35rem;line-height:1.35}
.moves{margin-top:.25rem;font-size:.95rem}
.rest{font-size:.8rem;color:var(--soft);font-variant-numeric:tabular-nums}
td .rest,.moves .rest{display:block}
td .beside{display:inline}
.better{color:var(--good);font-weight:650}
.worse{color:var(--bad);font-weight:650}
.table{overflow-x:auto;margin:.8rem 0}
table{border-collapse:collapse;width:100%;font-size:.92rem}
caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);
white-space:nowrap}
th,td{padding:.4rem .6rem;border-bottom:1px solid var(--rule);vertical-align:top;
unicode-bidi:isolate}
th:first-child,td:first-child{padding-left:0}
th:last-child,td:last-child{padding-right:0}
thead th{color:var(--soft);font-weight:600;font-size:.82rem;vertical-align:bottom;
border-bottom:2px solid var(--rule)}
tbody th{font-weight:500;min-width:7rem;overflow-wrap:anywhere}
.text{text-align:left}
.figure{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
thead .figure{white-space:normal}
figure{margin:1rem 0}
svg{display:block;width:100%;min-width:34rem;height:auto;font-size:12px}
figcaption{font-size:.85rem;color:var(--soft);margin-top:.4rem}
.grid{stroke:var(--rule);stroke-width:1}
.tick{fill:var(--soft)}
.line{fill:none;stroke-width:1.6;stroke-linejoin:round}
.line.brand{stroke-width:3}
.mark{stroke:var(--soft);stroke-width:1;stroke-dasharray:1 4}
.band{fill:var(--line);opacity:.16}
.line.brand{stroke:var(--line)}.dot.brand{fill:var(--line)}
.end.brand{fill:var(--accent);font-weight:700}
${[0, 1, 2, 3]
  .map(
    (at) =>
      `.line.other-${at}{stroke:var(--other-${at})}.dot.other-${at},.end.other-${at}
{fill:var(--other-${at})}`,
  )
  .join("\n")}
details{margin:.6rem 0}
summary{cursor:pointer;color:var(--accent)}
blockquote{margin:0}
.quotes{padding-left:1.1rem}
.quotes li{margin:.5rem 0}
footer{margin-top:2.5rem;padding-top:.8rem;border-top:1px solid var(--rule);font-size:.85rem;
color:var(--soft)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
@media (max-width:34rem){.facts>div,.notes>div{grid-template-columns:minmax(0,1fr);gap:0}
body{padding:1.2rem .9rem 2rem}h1{font-size:1.5rem}}`;

const printStyle = `@page{margin:14mm 14mm 16mm}
body{padding:0;max-width:none;font-size:9.5pt;line-height:1.4}
h1{font-size:19pt}h2{font-size:13pt;margin:6mm 0 2mm}h3{font-size:10.5pt;margin:4mm 0 1mm}
h2,h3,caption{break-after:avoid}
p{orphans:3;widows:3}
.tiles{grid-template-columns:repeat(5,1fr);gap:2mm}
.tile{padding:2mm;break-inside:avoid}
.large{font-size:14pt}
.tile .meaning,.rest,figcaption{font-size:7.5pt}
figure,.said,blockquote,.facts>div,.notes>div,.quotes li{break-inside:avoid}
.table{overflow:visible;margin:2mm 0}
svg{min-width:0}
table{font-size:8.5pt}
thead{display:table-header-group}
tr{break-inside:avoid}
th,td{padding:1mm 1.5mm}
.short{break-inside:avoid}
details{display:none}
.tile,.warning{background:none}
*{print-color-adjust:exact}`;
