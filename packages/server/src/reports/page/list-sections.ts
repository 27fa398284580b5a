import type { MeasurementFacts } from "@sightline/contract";
import type { ReportNumbers, ReportPrompt, ReportValue } from "../asked-report.ts";
import { providerName, regionName } from "../filter-texts.ts";
import type { MeasurementRow } from "../words/report-words.ts";
import { type FigureKind, shortened } from "./figures.ts";
import { html, type Markup } from "./markup.ts";
import {
  type Column,
  changeCell,
  paragraphs,
  type Row,
  table,
  valueCell,
  type Writing,
} from "./parts.ts";

const promptCharacters = 160;
const sourceCharacters = 120;
const nameCharacters = 80;
const modelsNamed = 8;

type Source = NonNullable<ReportNumbers["sources"]>["listed"][number];

/** The most cited domains, and those with gaps. URLs are shown as texts. */
export function sourcesSection(
  writing: Writing,
  { listed, gaps, total }: NonNullable<ReportNumbers["sources"]>,
): Markup {
  const { words, figures, asked } = writing;
  const right = (heading: string): Column => ({ heading, align: "right" });
  const change = asked.compareWith === null ? [] : [right(words.figures.change)];
  const columns: readonly Column[] = [
    { heading: words.tables.domain },
    { heading: words.tables.owner },
    { heading: words.tables.kind },
    right(words.tables.share),
    ...change,
    right(words.tables.answersCiting),
  ];
  const rows = listed.map((source): Row => {
    return [
      ...headOf(writing, source),
      share(writing, source),
      ...changeOf(writing, source),
      figures.count(source.answers),
    ];
  });
  const gapColumns: readonly Column[] = [
    { heading: words.tables.domain },
    { heading: words.tables.owner },
    { heading: words.tables.kind },
    right(words.tables.competitorOnly),
    right(words.tables.withBrand),
    right(words.tables.answersCiting),
  ];
  const gapRows = gaps.map((source): Row => {
    const counts = [source.withCompetitorOnly, source.withBrand, source.answers];
    return [...headOf(writing, source), ...counts.map((each) => figures.count(each))];
  });
  const gapPart =
    gaps.length === 0
      ? html`<p>${words.sources.noGaps}</p>`
      : html`<p>${words.sources.gapsMeaning}</p>${table(words.sources.gaps, gapColumns, gapRows)}`;
  return html`<p>${words.sources.lead(figures.count(total))}</p>
${table(words.sections.sources, columns, rows)}
<h3>${words.sources.gaps}</h3>
${gapPart}`;
}

function headOf({ words }: Writing, { source, class: owner, sourceClass }: Source): Row {
  const name = shortened(source, sourceCharacters);
  return [name, words.owners[owner], words.sourceClasses[sourceClass]];
}

/** Shares of sources have no interval of their own: n says on how many citations they rest. */
function share({ figures, words }: Writing, { share: value, citations }: Source): Markup {
  return html`<span class="value">${figures.value("share", value)}</span>
<span class="rest beside">${words.figures.n} ${figures.count(citations)}</span>`;
}

function changeOf(writing: Writing, { change, citations, share: value }: Source): Row | [] {
  if (writing.asked.compareWith === null) return [];
  if (change === undefined) return [writing.words.nothing];
  const sums = { value, numerator: citations, denominator: citations, effectivePrompts: 0 };
  return [changeCell(writing, "shareOfVoice", { ...sums, interval: null, flags: [], change })];
}

/** Names that answers have and nobody tracks. */
export function namesSection(
  writing: Writing,
  { names, total, onlyUnknown }: NonNullable<ReportNumbers["names"]>,
): Markup {
  const { words, figures } = writing;
  if (names.length === 0) return html`<p>${words.names.none}</p>`;
  const columns: readonly Column[] = [
    { heading: words.tables.name },
    { heading: words.tables.domain },
    ...[words.tables.answers, words.tables.prompts, words.tables.place].map(
      (heading) => ({ heading, align: "right" }) as const,
    ),
  ];
  const rows = names.map(({ name, domain, answers, prompts, meanPlace }): Row => {
    const site = domain === null ? words.nothing : shortened(domain, sourceCharacters);
    const counts = [answers, prompts].map((each) => figures.count(each));
    return [shortened(name, nameCharacters), site, ...counts, figures.value("rank", meanPlace)];
  });
  return html`<p>${words.names.lead(figures.count(total))}</p>
${table(words.sections.names, columns, rows)}
<p>${words.names.onlyUnknown}: ${valueCell(writing, "share", onlyUnknown)}</p>`;
}

/** Each prompt's answers, by how often they name the brand. */
export function promptsSection(
  writing: Writing,
  { strongest, between, weakest }: NonNullable<ReportNumbers["prompts"]>,
): Markup {
  const { words, figures, asked } = writing;
  const change = asked.compareWith === null ? [] : [words.figures.change];
  const headings = [words.metrics.mentions, ...change, words.metrics.citations, words.metrics.rank];
  const columns: readonly Column[] = [
    { heading: words.tables.prompt },
    ...headings.map((heading) => ({ heading, align: "right" }) as const),
  ];
  const value = (kind: FigureKind, { value: own, denominator }: ReportValue) =>
    html`<span class="value">${figures.value(kind, own)}</span>
<span class="rest beside">${words.figures.n} ${figures.count(denominator)}</span>`;
  const rowOf = ({ text, mentions, citations, rank }: ReportPrompt): Row => [
    shortened(text, promptCharacters),
    value("share", mentions),
    ...change.map(() => figures.change("share", mentions.change?.parts?.likeForLike ?? null)),
    value("share", citations),
    value("rank", rank),
  ];
  const blanks = columns.slice(1).map(() => "");
  const middle: readonly Row[] =
    between === 0 ? [] : [[words.prompts.between(figures.count(between)), ...blanks]];
  const rows = [...strongest.map(rowOf), ...middle, ...weakest.map(rowOf)];
  return html`<p>${words.prompts.order}</p>
${table(words.sections.prompts, columns, rows)}`;
}

/** What people noted in the period. */
export function notesSection(
  { words, figures }: Writing,
  notes: NonNullable<ReportNumbers["notes"]>,
): Markup {
  if (notes.length === 0) return html`<p>${words.noNotes}</p>`;
  const items = notes.map(
    ({ date, text }) => html`<div><dt>${figures.day(date)}</dt><dd>${text}</dd></div>\n`,
  );
  return html`<dl class="notes">${items}</dl>`;
}

/** By what answers the figures were measured. */
export function measurementSection(writing: Writing, facts: MeasurementFacts): Markup {
  const { words } = writing;
  const rows = measurementRows(writing, facts).map(
    ([name, text]) => html`<div><dt>${words.measurement.rows[name]}</dt><dd>${text}</dd></div>\n`,
  );
  return html`${paragraphs([words.figures.explanation])}<dl class="facts">${rows}</dl>`;
}

type FactRow = readonly [name: MeasurementRow, text: string];

function measurementRows(writing: Writing, facts: MeasurementFacts): readonly FactRow[] {
  const { words, figures } = writing;
  const said = words.measurement;
  const { answersPerPrompt, cadence, providers, regions, surfaces, versions } = facts;
  const counted = (parts: readonly (readonly [string, number])[]) =>
    parts.map(([name, own]) => `${name} ${figures.count(own)}`).join(", ");
  const basis = words.head.basis(figures.count(facts.answers), figures.count(facts.prompts));
  if (answersPerPrompt === null) return [["answers", basis]];
  const { least, median, most } = answersPerPrompt;
  const [leastText = "", medianText = "", mostText = ""] = [least, median, most].map((each) =>
    figures.count(each),
  );
  const regionText = (code: string | null) =>
    code === null ? said.notRecorded : regionName(code, words.locale);
  const surfaceText = (surface: "api" | "web" | null) =>
    surface === null ? said.notRecorded : words.surfaces[surface];
  return [
    ["answers", basis],
    ["perPrompt", said.perPrompt(leastText, medianText, mostText)],
    ["days", said.days(figures.count(cadence.daysWithAnswers), figures.count(cadence.days))],
    ["providers", counted(providers.map((each) => [providerName(each.provider), each.answers]))],
    ["regions", counted(regions.map((each) => [regionText(each.region), each.answers]))],
    ["surfaces", counted(surfaces.map((each) => [surfaceText(each.surface), each.answers]))],
    ["models", modelsText(writing, facts)],
    ["retest", retestText(writing, facts)],
    ["excluded", excludedText(writing, facts)],
    ...(versions === null ? [] : [["versions", said.versions(versions)] as const]),
  ];
}

function modelsText({ words, figures }: Writing, { models }: MeasurementFacts): string {
  const named = models.named.slice(0, modelsNamed);
  const left = models.distinct - named.length;
  const counts = named.map(({ model, answers }) => {
    return `${shortened(model, nameCharacters)} ${figures.count(answers)}`;
  });
  const more = left > 0 ? [words.measurement.moreModels(figures.count(left))] : [];
  const unknown =
    models.unknown > 0 ? [`${words.measurement.notRecorded} ${figures.count(models.unknown)}`] : [];
  return [...counts, ...more, ...unknown].join(", ");
}

function retestText({ words, figures }: Writing, { retest }: MeasurementFacts): string {
  const { brandDiffers, pairs } = retest;
  if (brandDiffers === null) return words.measurement.tooFewPairs;
  return words.measurement.retest(figures.value("share", brandDiffers), figures.count(pairs));
}

function excludedText({ words, figures }: Writing, { unanswered }: MeasurementFacts): string {
  if (unanswered.failed.share === null) return words.measurement.outcomesUnknown;
  const kinds = ["failed", "refused", "absent"] as const;
  return kinds
    .map((kind) => {
      const { answers, share: part } = unanswered[kind];
      const share = figures.value("share", part ?? 0);
      return `${words.measurement.outcome(kind, figures.count(answers))} (${share})`;
    })
    .join(", ");
}
