import type { ReportWords } from "./report-words.ts";

const outcomes = {
  failed: "fehlgeschlagen",
  refused: "verweigert",
  absent: "ohne Antwort",
} as const;

/** The texts of a report in German. */
export const german: ReportWords = {
  locale: "de-DE",
  nothing: "–",
  points: "Pkt.",
  sections: {
    summary: "Zusammenfassung",
    course: "Verlauf",
    changes: "Was sich verändert hat und warum",
    portrayal: "Wie Antworten über die Marke sprechen",
    sources: "Quellen",
    names: "Namen, die niemand verfolgt",
    prompts: "Prompts",
    notes: "Notizen",
    measurement: "Wie gemessen wurde",
  },
  metrics: {
    mentions: "Nennungen",
    citations: "Zitate",
    visibility: "Sichtbarkeit",
    rank: "Rang",
    shareOfVoice: "Anteil an Nennungen",
  },
  meanings: {
    mentions: "Antworten, die die Marke nennen",
    citations: "Antworten, die Seiten der Marke zitieren",
    visibility: "Antworten, die sie nennen oder zitieren",
    rank: "mittlerer Platz unter den verfolgten Namen; 1 ist vorn",
    shareOfVoice: "Anteil der Marke an allen Nennungen",
  },
  flags: {
    recommended: "Empfohlen",
    praised: "Gelobt",
    criticized: "Kritisiert",
    discouraged: "Abgeraten",
    notFound: "Nicht gefunden",
  },
  changes: {
    moved: "klare Veränderung",
    withinNoise: "keine klare Veränderung",
    insufficient: "zu wenige Prompts",
    discontinuous: "andere Modelle antworteten",
    nothingToCompare: "nichts zu vergleichen",
    noCommonPrompts: "keine gemeinsamen Prompts",
    tooShort: "unter 7 Tagen",
  },
  empty: {
    noAnswers: "Es gibt noch keine Antworten.",
    outsideRange: "In diesem Zeitraum gibt es keine Antworten.",
    notTrackedThen:
      "In diesem Zeitraum passt keine Antwort zu den Filtern, zu anderen Zeiten schon.",
    filteredOut: "Keine Antwort passt zu den Filtern.",
    uninformative: "Keine Antwort dieses Zeitraums nennt eine verfolgte Marke.",
    uncited: "Keine Antwort dieses Zeitraums zitiert eine Seite.",
  },
  faults: {
    notReady:
      "Ausgelassen: Die Antworten waren noch nicht auf Namen gelesen, als der Bericht entstand.",
    tooLarge: "Ausgelassen: Es gibt mehr Prompts, als eine Tabelle des Dienstes fasst.",
  },
  owners: { own: "eigene", competitor: "Wettbewerb", thirdParty: "Dritte" },
  sourceClasses: {
    editorial: "Redaktion",
    reference: "Nachschlagewerk",
    forum: "Forum",
    video: "Video",
    social: "soziales Netz",
    review: "Bewertungen",
    shop: "Shop",
    government: "Behörde",
    education: "Bildung",
    code: "Code",
    "press-release": "Pressemitteilungen",
    other: "andere",
  },
  surfaces: { api: "API", web: "Webseite" },
  head: {
    period: "Zeitraum",
    comparedWith: "Verglichen mit",
    notCompared: "kein Vergleich",
    filters: "Filter",
    noFilters: "keine: alle Antworten zählen",
    made: (instant) => `Erstellt ${instant}`,
    basis: (answers, prompts) => `Grundlage: ${answers} Antworten auf ${prompts} Prompts`,
    sampleAnswers: (count) => `Das Konto hat ${count} Beispielantworten, die erfunden sind.`,
    logo: "Logo",
  },
  filters: {
    topic: "Thema: ",
    prompts: (count) => `Prompts: ${count} gewählt`,
    tag: "Tag: ",
    without: "Ohne ",
    branded: "Prompts mit der Marke",
    notBranded: "Prompts ohne die Marke",
    more: (count) => `und ${count} weitere`,
  },
  figures: {
    interval: "95-%-Intervall",
    n: "n",
    change: "Veränderung",
    value: "Wert",
    before: "Vorher",
    now: "Jetzt",
    to: " bis ",
    notTested: "nicht geprüft",
    explanation:
      "Zu jeder Zahl gehören ein 95-%-Intervall, bei dem Prompts die Einheiten der Streuung " +
      "sind, und n, die Zahl der Antworten, auf denen sie ruht. Eine Veränderung vergleicht " +
      "Gleiches mit Gleichem: die Prompts mit Antworten in beiden Zeiträumen, ohne die Wirkung " +
      "anderer Anteile von Anbietern und Regionen. Klar ist eine Veränderung, die der " +
      "Zufall selten zeigt.",
    tests: (count) =>
      `${count} Veränderungen wurden zusammen geprüft: Von den klaren ist etwa jede zwanzigste ` +
      "Zufall.",
    discontinuous: (providers) =>
      `Modelle oder Oberflächen von ${providers} unterscheiden sich zwischen den Zeiträumen, was ` +
      "einen Wert verschieben kann.",
    few: "wenige Prompts",
  },
  sentences: {
    mentions: ({ brand, value, interval, n }) =>
      `${value} der Antworten nennen ${brand} (${bracketed(interval, n)}).`,
    citations: ({ value, interval, n }) =>
      `${value} zitieren Seiten der Marke (${bracketed(interval, n)}).`,
    rank: ({ brand, value, interval, n }) =>
      `Wo ${brand} genannt wird, ist der mittlere Rang ${value} (${bracketed(interval, n)}).`,
    moved: ({ brand, metric, size, interval, isBetter }) => {
      const bounds = interval === null ? "" : ` (${interval})`;
      const better = isBetter ? "besser" : "schlechter";
      return `${brand}, ${german.metrics[metric]}: klar ${better} als vorher, ${size}${bounds}.`;
    },
    nothingMoved: (brand) =>
      `Keiner der Werte von ${brand} hat sich gegenüber dem Vergleichszeitraum klar verändert.`,
    noComparison: "Dieser Bericht vergleicht nichts.",
    ahead: (leader, value) => `Am häufigsten wird ${leader} genannt, in ${value} der Antworten.`,
    leads: (brand) => `Von allen verfolgten Namen wird ${brand} am häufigsten genannt.`,
  },
  tables: {
    entity: "Marke",
    date: "Datum",
    part: "Teil",
    contribution: "Beitrag",
    domain: "Domain",
    kind: "Art",
    owner: "Wessen",
    share: "Anteil an Zitaten",
    answersCiting: "Antworten, die sie zitieren",
    withBrand: "Mit der Marke",
    competitorOnly: "Wettbewerb ohne die Marke",
    name: "Name",
    answers: "Antworten",
    prompts: "Prompts",
    prompt: "Prompt",
    place: "Mittlerer Platz",
    note: "Notiz",
    said: "Was gesagt wird",
  },
  course: {
    title: (brand) => `Nennungen von ${brand} und dem Wettbewerb im Verlauf`,
    description: (first, last) =>
      `Anteile der Antworten, die sie nennen, von ${first} bis ${last}.`,
    intervals: { daily: "nach Tagen", weekly: "nach Wochen", monthly: "nach Monaten" },
    band: (brand) => `Das getönte Band ist das 95-%-Intervall von ${brand}.`,
    figures: "Die Zahlen dieses Diagramms",
    marks: (dates) => `Gepunktet: ab da antworteten andere Modelle oder Oberflächen (${dates}).`,
    noLine: "In diesem Zeitraum wurde kein Wert gemessen.",
  },
  why: {
    title: (metric, by) =>
      `${metric}: die Veränderung nach ${by === "provider" ? "Anbietern" : "Prompts"}`,
    rest: (count) => `${count} weitere`,
    competitors: "Wettbewerber mit klarer Veränderung",
    notATest:
      "Ein Beitrag ist ein Teil der Veränderung aller Prompts. Er ist keine eigene Prüfung.",
  },
  portrayal: {
    meaning:
      "Von den Antworten, die die Marke nennen und gelesen wurden: was sie über sie sagen. " +
      "Worttabellen lesen sie, einzelne Antworten können also falsch gelesen sein.",
    quotes: {
      recommended: "Antworten, die sie empfehlen",
      criticized: "Antworten, die sie kritisieren",
    },
  },
  sources: {
    lead: (total) => `Die Antworten zitieren ${total} Domains. Am häufigsten diese:`,
    gaps: "Lücken",
    gapsMeaning:
      "Zitiert, wo Wettbewerber sichtbar sind und die Marke nicht; die größte Lücke zuerst.",
    noGaps: "Keine Domain wird zitiert, wo Wettbewerber sichtbar sind und die Marke nicht.",
  },
  names: {
    lead: (total) =>
      `${total} Namen stehen in Antworten, die zu keiner verfolgten Marke gehören. Die ersten:`,
    none: "Es wurde kein Name gefunden, der nicht verfolgt wird.",
    onlyUnknown: "Antworten, die einige davon nennen und keine verfolgte Marke",
  },
  prompts: {
    between: (count) => `${count} Prompts liegen zwischen diesen und den folgenden`,
    order:
      "Nach der Häufigkeit, mit der Antworten die Marke nennen. Ein einzelner Prompt hat kein " +
      "Intervall, und seine Veränderung ist nicht geprüft: n sagt, worauf sie ruht.",
  },
  noNotes: "In diesem Zeitraum wurde nichts notiert.",
  competitorsLeftOut: (count) => `Wettbewerber mit weniger Nennungen, nicht gezeigt: ${count}.`,
  measurement: {
    rows: {
      answers: "Antworten",
      perPrompt: "Antworten je Prompt",
      days: "Tage mit Antworten",
      providers: "Anbieter",
      regions: "Regionen",
      surfaces: "Erhoben über",
      models: "Modelle",
      retest: "Wiederholbarkeit",
      excluded: "Ausgeschlossen",
      versions: "Gelesen mit",
    },
    perPrompt: (least, median, most) => `${least} bis ${most}, Median ${median}`,
    days: (withAnswers, days) => `${withAnswers} von ${days}`,
    notRecorded: "nicht erfasst",
    moreModels: (count) => `${count} weitere Modelle`,
    retest: (share, pairs) =>
      `${share} von ${pairs} Paaren aufeinanderfolgender Antworten unterscheiden sich darin, ob ` +
      "sie die Marke nennen",
    tooFewPairs: "nicht bekannt: zu wenige aufeinanderfolgende Antworten",
    outcome: (kind, count) => `${count} ${outcomes[kind]}`,
    outcomesUnknown: "nicht bekannt: nie wurde anderes als Antworten erfasst",
    versions: ({ extraction, suffixList, unicode }) =>
      `Extraktion ${extraction}, Public-Suffix-Liste ${suffixList}, Unicode ${unicode}`,
  },
  superseded: (made) =>
    `Ersetzt: Ein neuerer Bericht desselben Namens und Zeitraums wurde ${made} erstellt.`,
};

function bracketed(interval: string | null, n: string): string {
  return interval === null ? `n = ${n}` : `95-%-Intervall ${interval}, n = ${n}`;
}
