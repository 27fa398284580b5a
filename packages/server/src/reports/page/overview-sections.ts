import { portrayalFlags } from "@sightline/contract";
import {
  type ReportEntity,
  type ReportMetric,
  type ReportNumbers,
  type ReportValue,
  reportMetrics,
} from "../asked-report.ts";
import { providerName } from "../filter-texts.ts";
import { isBetter, kindOf, shortened } from "./figures.ts";
import { html, type Markup } from "./markup.ts";
import {
  type Column,
  changeCell,
  paragraphs,
  type Row,
  table,
  valueCell,
  valueCells,
  valueColumns,
  type Writing,
} from "./parts.ts";

type Summary = NonNullable<ReportNumbers["summary"]>;

const nameCharacters = 80;

/** The values of the brand in sentences and tiles, and those of all in a table. */
export function summarySection(writing: Writing, summary: Summary): Markup {
  const [brand] = summary.entities;
  if (brand === undefined) return html``;
  const tiles = reportMetrics.map((metric) => tile(writing, metric, brand[metric]));
  return html`${paragraphs(summarySentences(writing, summary))}
<dl class="tiles">${tiles}</dl>
${entityTable(writing, summary)}`;
}

function tile(writing: Writing, metric: ReportMetric, value: ReportValue): Markup {
  const { words, figures, asked } = writing;
  const kind = kindOf(metric);
  const bounds = figures.bounds(kind, value.interval);
  const n = `${words.figures.n} ${figures.count(value.denominator)}`;
  const change =
    asked.compareWith === null
      ? html``
      : html`<dd class="moves">${changeCell(writing, metric, value)}</dd>`;
  return html`<div class="tile"><dt>${words.metrics[metric]}</dt>
<dd class="large">${figures.value(kind, value.value)}</dd>
<dd class="rest">${bounds === null ? n : `${bounds} · ${n}`}</dd>
${change}
<dd class="meaning">${words.meanings[metric]}</dd></div>
`;
}

/** What the values come to, in sentences: by templates over values and verdicts. */
function summarySentences(writing: Writing, { entities, tests }: Summary): readonly string[] {
  const { words, asked, figures } = writing;
  const [brand, ...competitors] = entities;
  if (brand === undefined) return [];
  const said = (metric: "mentions" | "citations" | "rank") => {
    const { value, interval, denominator } = brand[metric];
    if (value === null) return [];
    const kind = kindOf(metric);
    const bounds = figures.bounds(kind, interval);
    const texts = { value: figures.value(kind, value), interval: bounds };
    const n = figures.count(denominator);
    return [words.sentences[metric]({ brand: nameOf(brand), ...texts, n })];
  };
  const values = [...said("mentions"), ...said("citations"), ...said("rank")].join(" ");
  const place = competitors.length === 0 ? [] : placeSentence(writing, brand, competitors);
  const moves = asked.compareWith === null ? [] : moveSentences(writing, brand);
  const tested =
    asked.compareWith !== null && tests > 0 ? [words.figures.tests(figures.count(tests))] : [];
  return [values, [...place, ...moves].join(" "), ...tested].filter((text) => text !== "");
}

function placeSentence(
  { words, figures }: Writing,
  brand: ReportEntity,
  [leader]: readonly ReportEntity[],
): readonly string[] {
  if (leader === undefined || brand.mentions.value === null) return [];
  if (brand.mentions.numerator > leader.mentions.numerator) {
    return [words.sentences.leads(nameOf(brand))];
  }
  if (brand.mentions.numerator === leader.mentions.numerator) return [];
  return [words.sentences.ahead(nameOf(leader), figures.value("share", leader.mentions.value))];
}

function moveSentences(writing: Writing, brand: ReportEntity): readonly string[] {
  const moved = reportMetrics.flatMap((metric) => movedSentence(writing, brand, metric));
  return moved.length === 0 ? [writing.words.sentences.nothingMoved(nameOf(brand))] : moved;
}

/** That a value moved; nothing where it did not. */
function movedSentence(
  { words, figures }: Writing,
  entity: ReportEntity,
  metric: ReportMetric,
): readonly string[] {
  const { change } = entity[metric];
  if (change?.verdict !== "moved") return [];
  const kind = kindOf(metric);
  return [
    words.sentences.moved({
      brand: nameOf(entity),
      metric,
      size: figures.change(kind, change.parts?.likeForLike ?? null),
      interval: figures.changeBounds(kind, change.interval),
      isBetter: isBetter(metric, change),
    }),
  ];
}

function entityTable(writing: Writing, { entities, competitorsLeftOut }: Summary): Markup {
  const { words, figures } = writing;
  const columns: readonly Column[] = [
    { heading: words.tables.entity },
    ...valueColumns(writing, words.metrics.mentions),
    { heading: words.metrics.citations, align: "right" },
    { heading: words.metrics.rank, align: "right" },
    { heading: words.metrics.shareOfVoice, align: "right" },
  ];
  const rows = entities.map((entity): Row => {
    const { mentions, citations, rank, shareOfVoice } = entity;
    return [
      nameOf(entity),
      ...valueCells(writing, "mentions", mentions),
      valueCell(writing, "share", citations),
      valueCell(writing, "rank", rank),
      valueCell(writing, "share", shareOfVoice),
    ];
  });
  const more =
    competitorsLeftOut === 0
      ? []
      : paragraphs([words.competitorsLeftOut(figures.count(competitorsLeftOut))]);
  return html`${table(words.sections.summary, columns, rows)}${more}`;
}

/** What moved, for whom, and what the brand's moves consist of. */
export function changesSection(
  writing: Writing,
  { entities, compare }: Summary,
  changes: NonNullable<ReportNumbers["changes"]>,
): Markup {
  const { words, asked } = writing;
  const [brand, ...competitors] = entities;
  if (asked.compareWith === null) return html`<p>${words.sentences.noComparison}</p>`;
  if (brand === undefined) return html``;
  const others = competitors.flatMap((entity) =>
    reportMetrics.flatMap((metric) => movedSentence(writing, entity, metric)),
  );
  const list =
    others.length === 0
      ? html``
      : html`<h3>${words.why.competitors}</h3>
<ul>${others.map((text) => html`<li>${text}</li>\n`)}</ul>`;
  const discontinuous = compare?.discontinuous ?? [];
  const models =
    discontinuous.length === 0
      ? []
      : [words.figures.discontinuous(discontinuous.map(providerName).join(", "))];
  const tables = changes.map((change) => contributionTable(writing, change));
  const note = changes.length === 0 ? [] : [words.why.notATest];
  return html`${paragraphs([moveSentences(writing, brand).join(" "), ...models])}
${tables}${paragraphs(note)}${list}`;
}

function contributionTable(
  { words, figures }: Writing,
  { metric, by, contributions, rest }: NonNullable<ReportNumbers["changes"]>[number],
): Markup {
  const kind = kindOf(metric);
  const places = kind === "rank" ? 3 : 2;
  const side = ({ value, denominator }: { value: number | null; denominator: number }) =>
    html`<span class="value">${figures.value(kind, value)}</span>
<span class="rest beside">${words.figures.n} ${figures.count(denominator)}</span>`;
  const rows = contributions.map(({ name, value, before, after }): Row => {
    const part = by === "provider" ? providerName(name) : shortened(name, 140);
    return [part, figures.change(kind, value, places), side(before), side(after)];
  });
  const more: readonly Row[] =
    rest.contributions === 0
      ? []
      : [
          [
            words.why.rest(figures.count(rest.contributions)),
            figures.change(kind, rest.value, places),
            side(rest.before),
            side(rest.after),
          ],
        ];
  const heading = by === "provider" ? words.measurement.rows.providers : words.tables.prompt;
  const columns: readonly Column[] = [
    { heading },
    { heading: words.tables.contribution, align: "right" },
    { heading: words.figures.before, align: "right" },
    { heading: words.figures.now, align: "right" },
  ];
  const named = by === "provider" ? "provider" : "prompt";
  const title = words.why.title(words.metrics[metric as ReportMetric], named);
  return html`<h3>${title}</h3>${table(title, columns, [...rows, ...more])}`;
}

/** What answers say of the brand, and of its competitors. */
export function portrayalSection(writing: Writing, { entities }: Summary): Markup {
  const { words, numbers } = writing;
  const [brand] = entities;
  if (brand?.portrayal === undefined) return html``;
  const { portrayal } = brand;
  const rows = portrayalFlags.map((flag): Row => {
    return [words.flags[flag], ...valueCells(writing, "mentions", portrayal[flag])];
  });
  const columns: readonly Column[] = [
    { heading: words.tables.said },
    ...valueColumns(writing, words.figures.value),
  ];
  const title = `${words.sections.portrayal}: ${nameOf(brand)}`;
  return html`<p>${words.portrayal.meaning}</p>
${table(title, columns, rows)}
${othersTable(writing, entities)}
${(numbers.quotes ?? []).length === 0 ? html`` : quotes(writing)}`;
}

function othersTable(writing: Writing, entities: readonly ReportEntity[]): Markup {
  const { words } = writing;
  if (entities.length < 2) return html``;
  const columns: readonly Column[] = [
    { heading: words.tables.entity },
    ...valueColumns(writing, words.flags.recommended),
    { heading: words.flags.praised, align: "right" },
    { heading: words.flags.criticized, align: "right" },
  ];
  const rows = entities.flatMap((entity): readonly Row[] => {
    const { portrayal } = entity;
    if (portrayal === undefined) return [];
    return [
      [
        nameOf(entity),
        ...valueCells(writing, "mentions", portrayal.recommended),
        valueCell(writing, "share", portrayal.praised),
        valueCell(writing, "share", portrayal.criticized),
      ],
    ];
  });
  return table(words.tables.said, columns, rows);
}

function quotes({ words, numbers, figures }: Writing): Markup {
  const kinds = ["recommended", "criticized"] as const;
  return html`${kinds.map((flag) => {
    const own = (numbers.quotes ?? []).filter((each) => each.flag === flag);
    if (own.length === 0) return html``;
    const list = own.map(
      ({ sentence, provider, answeredAt }) => html`<li><blockquote>${sentence}</blockquote>
<span class="rest">${providerName(provider)}, ${figures.day(answeredAt)}</span></li>\n`,
    );
    return html`<h3>${words.portrayal.quotes[flag]}</h3><ul class="quotes">${list}</ul>`;
  })}`;
}

const nameOf = ({ name }: ReportEntity): string => shortened(name, nameCharacters);
