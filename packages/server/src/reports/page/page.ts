import type { ReportLanguage, ReportSection } from "@sightline/contract";
import type { AskedReport, ReportNumbers } from "../asked-report.ts";
import { wordsOf } from "../words/languages.ts";
import { courseSection } from "./course-chart.ts";
import { Figures, shortened } from "./figures.ts";
import {
  measurementSection,
  namesSection,
  notesSection,
  promptsSection,
  sourcesSection,
} from "./list-sections.ts";
import { html, Markup } from "./markup.ts";
import { changesSection, portrayalSection, summarySection } from "./overview-sections.ts";
import { paragraphs, type Writing } from "./parts.ts";
import { pageStyle } from "./style.ts";

/** What a report's page may load: nothing but what is in it. */
const reportPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/** A report as one HTML page: no scripts, nothing that is loaded from elsewhere. */
export function reportPage(asked: AskedReport, numbers: ReportNumbers): string {
  const words = wordsOf(asked.language);
  const writing: Writing = { asked, numbers, words, figures: new Figures(words) };
  const body =
    numbers.empty === null
      ? asked.sections.map((name) => section(writing, name))
      : [html`<p class="said">${words.empty[numbers.empty.reason]}</p>`];
  return html`<!doctype html>
<html lang="${asked.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${reportPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${asked.title}</title>
<style>${Markup.of(pageStyle(asked.colour))}</style>
</head>
${Markup.of(bodyStart)}${head(writing)}
<main>
${asked.note === null ? html`` : html`<p class="said">${asked.note}</p>\n`}${body}
</main>
<footer>${words.head.made(writing.figures.instant(asked.madeAt))} · Sightline</footer>
</body>
</html>
`.text;
}

/** Where a page's content begins. */
const bodyStart = "<body>\n";

/** A page that says first that a newer report was made; what was kept stays as it is. */
export function withBanner(page: string, language: ReportLanguage, newerMadeAt: number): string {
  const words = wordsOf(language);
  const text = words.superseded(new Figures(words).instant(newerMadeAt));
  const banner = html`<aside><p class="warning" role="note">${text}</p></aside>\n`.text;
  const at = page.indexOf(bodyStart) + bodyStart.length;
  return `${page.slice(0, at)}${banner}${page.slice(at)}`;
}

/** The largest title that a page shows. */
const titleCharacters = 200;

function head({ asked, numbers, words, figures }: Writing): Markup {
  const { compareWith, logo, subtitle } = asked;
  const compared = compareWith === null ? words.head.notCompared : figures.days(compareWith);
  const filters = numbers.filters.length === 0 ? words.head.noFilters : numbers.filters.join(" · ");
  const samples = words.head.sampleAnswers(figures.count(numbers.sampleAnswers));
  const { summary } = numbers;
  const basis =
    summary === null || numbers.empty !== null
      ? html``
      : html`<div><dt>${words.figures.n}</dt><dd>${words.head.basis(
          figures.count(summary.answers),
          figures.count(summary.prompts),
        )}</dd></div>`;
  return html`<header>
${logo === null ? html`` : html`<img class="logo" src="${logo}" alt="${words.head.logo}">`}
<h1>${shortened(asked.title, titleCharacters)}</h1>
${subtitle === null ? html`` : html`<p class="subtitle">${subtitle}</p>`}
<dl class="facts">
<div><dt>${words.head.period}</dt><dd>${figures.days(asked)} (UTC)</dd></div>
<div><dt>${words.head.comparedWith}</dt><dd>${compared}</dd></div>
<div><dt>${words.head.filters}</dt><dd>${filters}</dd></div>
${basis}
</dl>
${numbers.sampleAnswers === 0 ? html`` : html`<p class="warning">${samples}</p>`}
</header>`;
}

function section(writing: Writing, name: ReportSection): Markup {
  const { words } = writing;
  return html`<section aria-labelledby="${name}"><h2 id="${name}">${words.sections[name]}</h2>
${content(writing, name)}</section>
`;
}

function content(writing: Writing, name: ReportSection): Markup {
  const { numbers, words } = writing;
  const fault = numbers.leftOut[name];
  if (fault !== undefined) return html`${paragraphs([words.faults[fault]])}`;
  const { summary, course, changes, sources, names, prompts, notes, measurement } = numbers;
  switch (name) {
    case "summary":
      return summary === null ? html`` : summarySection(writing, summary);
    case "course":
      return course === null ? html`` : courseSection(writing, course);
    case "changes":
      return summary === null || changes === null
        ? html``
        : changesSection(writing, summary, changes);
    case "portrayal":
      return summary === null ? html`` : portrayalSection(writing, summary);
    case "sources":
      return sources === null ? html`` : sourcesSection(writing, sources);
    case "names":
      return names === null ? html`` : namesSection(writing, names);
    case "prompts":
      return prompts === null ? html`` : promptsSection(writing, prompts);
    case "notes":
      return notes === null ? html`` : notesSection(writing, notes);
    case "measurement":
      return measurement === null ? html`` : measurementSection(writing, measurement);
  }
}
