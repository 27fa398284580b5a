import type { ReportWords } from "./report-words.ts";

/** The texts of a report in English. */
export const english: ReportWords = {
  locale: "en-GB",
  nothing: "–",
  points: "pts",
  sections: {
    summary: "Summary",
    course: "Over time",
    changes: "What changed and why",
    portrayal: "How answers speak of the brand",
    sources: "Sources",
    names: "Names that nobody tracks",
    prompts: "Prompts",
    notes: "Notes",
    measurement: "How this was measured",
  },
  metrics: {
    mentions: "Mentions",
    citations: "Citations",
    visibility: "Visibility",
    rank: "Rank",
    shareOfVoice: "Share of voice",
  },
  meanings: {
    mentions: "answers that name the brand",
    citations: "answers that cite the brand’s pages",
    visibility: "answers that name or cite it",
    rank: "mean place among the tracked names; 1 is first",
    shareOfVoice: "the brand’s part of all mentions",
  },
  flags: {
    recommended: "Recommended",
    praised: "Praised",
    criticized: "Criticized",
    discouraged: "Advised against",
    notFound: "Not found",
  },
  changes: {
    moved: "clear change",
    withinNoise: "no clear change",
    insufficient: "too few prompts",
    discontinuous: "other models answered",
    nothingToCompare: "nothing to compare",
    noCommonPrompts: "no common prompts",
    tooShort: "under 7 days",
  },
  empty: {
    noAnswers: "There are no answers yet.",
    outsideRange: "There are no answers in this period.",
    notTrackedThen: "In this period no answer passes the filters; at other times some do.",
    filteredOut: "No answer passes the filters.",
    uninformative: "No answer of this period names a tracked brand.",
    uncited: "No answer of this period cites a page.",
  },
  faults: {
    notReady: "Left out: the answers were not yet read for names when this report was made.",
    tooLarge: "Left out: there are more prompts than one table of the service may have.",
  },
  owners: { own: "own", competitor: "competitor’s", thirdParty: "third party" },
  sourceClasses: {
    editorial: "editorial",
    reference: "reference",
    forum: "forum",
    video: "video",
    social: "social network",
    review: "reviews",
    shop: "shop",
    government: "government",
    education: "education",
    code: "code",
    "press-release": "press releases",
    other: "other",
  },
  surfaces: { api: "API", web: "web page" },
  head: {
    period: "Period",
    comparedWith: "Compared with",
    notCompared: "not compared",
    filters: "Filters",
    noFilters: "none: all answers count",
    made: (instant) => `Made ${instant}`,
    basis: (answers, prompts) => `Based on ${answers} answers to ${prompts} prompts`,
    sampleAnswers: (count) => `The account has ${count} sample answers, which are invented.`,
    logo: "Logo",
  },
  filters: {
    topic: "Topic: ",
    prompts: (count) => `Prompts: ${count} chosen`,
    tag: "Tag: ",
    without: "Without ",
    branded: "Branded prompts",
    notBranded: "Prompts without the brand",
    more: (count) => `and ${count} more`,
  },
  figures: {
    interval: "95% interval",
    n: "n",
    change: "Change",
    value: "Value",
    before: "Before",
    now: "Now",
    to: " to ",
    notTested: "not tested",
    explanation:
      "Each figure has a 95% interval, in which prompts are the units of variation, and n, the " +
      "number of answers that it rests on. A change is like for like: of the prompts with " +
      "answers in both periods, without the effect of other shares of providers and regions. " +
      "A clear change is one that chance seldom shows.",
    tests: (count) =>
      `${count} changes were tested together: of those called clear, about one in twenty may be ` +
      "chance.",
    discontinuous: (providers) =>
      `The models or surfaces of ${providers} differ between the periods, which can move a value.`,
    few: "few prompts",
  },
  sentences: {
    mentions: ({ brand, value, interval, n }) =>
      `${value} of the answers name ${brand} (${bracketed(interval, n)}).`,
    citations: ({ value, interval, n }) =>
      `${value} cite pages of the brand (${bracketed(interval, n)}).`,
    rank: ({ brand, value, interval, n }) =>
      `Where ${brand} is named, its mean rank is ${value} (${bracketed(interval, n)}).`,
    moved: ({ brand, metric, size, interval, isBetter }) => {
      const bounds = interval === null ? "" : ` (${interval})`;
      const better = isBetter ? "better" : "worse";
      const of = { ...english.metrics, rank: "rank" }[metric].toLowerCase();
      return `${brand}: ${of} changed clearly, for the ${better}: ${size}${bounds}.`;
    },
    nothingMoved: (brand) =>
      `None of ${brand}’s values changed clearly against the compared period.`,
    noComparison: "This report compares nothing.",
    ahead: (leader, value) => `${leader} is named most often, in ${value} of the answers.`,
    leads: (brand) => `Of all tracked names, ${brand} is named most often.`,
  },
  tables: {
    entity: "Brand",
    date: "Date",
    part: "Part",
    contribution: "Contribution",
    domain: "Domain",
    kind: "Kind",
    owner: "Whose",
    share: "Share of citations",
    answersCiting: "Answers citing it",
    withBrand: "With the brand",
    competitorOnly: "Competitor without the brand",
    name: "Name",
    answers: "Answers",
    prompts: "Prompts",
    prompt: "Prompt",
    place: "Mean place",
    note: "Note",
    said: "What is said",
  },
  course: {
    title: (brand) => `Mentions of ${brand} and its competitors over time`,
    description: (first, last) => `Shares of the answers that name each, from ${first} to ${last}.`,
    intervals: { daily: "by day", weekly: "by week", monthly: "by month" },
    band: (brand) => `The shaded band is the 95% interval of ${brand}.`,
    figures: "The figures of this chart",
    marks: (dates) => `Dotted: other models or surfaces answered from then on (${dates}).`,
    noLine: "No value has been measured in this period.",
  },
  why: {
    title: (metric, by) => `${metric}: the change by ${by}`,
    rest: (count) => `${count} more`,
    competitors: "Competitors with a clear change",
    notATest: "A contribution is a part of the change of all prompts. It is not a test of its own.",
  },
  portrayal: {
    meaning:
      "Of the answers that name the brand and were read: what they say of it. Tables of words " +
      "read them, so single answers may be read wrongly.",
    quotes: { recommended: "Answers that recommend it", criticized: "Answers that criticize it" },
  },
  sources: {
    lead: (total) => `The answers cite ${total} domains. These are cited most.`,
    gaps: "Gaps",
    gapsMeaning: "Cited where a competitor is visible and the brand is not; the largest gap first.",
    noGaps: "No domain is cited where a competitor is visible and the brand is not.",
  },
  names: {
    lead: (total) =>
      `${total} names stand in answers that no tracked brand has. The first of them:`,
    none: "No name was found that is not tracked.",
    onlyUnknown: "Answers that name some of them and no tracked brand",
  },
  prompts: {
    between: (count) => `${count} prompts lie between these and those below`,
    order:
      "By how often the answers name the brand. A single prompt has no interval, and its change " +
      "is not tested: n says how little it may rest on.",
  },
  noNotes: "Nothing was noted in this period.",
  competitorsLeftOut: (count) => `Competitors with fewer mentions that are not shown: ${count}.`,
  measurement: {
    rows: {
      answers: "Answers",
      perPrompt: "Answers a prompt",
      days: "Days with answers",
      providers: "Providers",
      regions: "Regions",
      surfaces: "Collected from",
      models: "Models",
      retest: "Repeatability",
      excluded: "Excluded",
      versions: "Read by",
    },
    perPrompt: (least, median, most) => `${least} to ${most}, median ${median}`,
    days: (withAnswers, days) => `${withAnswers} of ${days}`,
    notRecorded: "not recorded",
    moreModels: (count) => `${count} more models`,
    retest: (share, pairs) =>
      `${share} of ${pairs} pairs of consecutive answers differ in whether they name the brand`,
    tooFewPairs: "not known: too few consecutive answers",
    outcome: (kind, count) => `${count} ${kind}`,
    outcomesUnknown: "not known: nothing but answers was ever recorded",
    versions: ({ extraction, suffixList, unicode }) =>
      `extraction ${extraction}, public suffix list ${suffixList}, Unicode ${unicode}`,
  },
  superseded: (made) => `Superseded: a newer report of the same name and period was made ${made}.`,
};

function bracketed(interval: string | null, n: string): string {
  return interval === null ? `n = ${n}` : `95% interval ${interval}, n = ${n}`;
}
