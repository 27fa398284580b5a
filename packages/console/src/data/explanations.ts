/** What a word of the console means. */
export interface Explanation {
  readonly title: string;
  /** In plain words, a sentence or two. */
  readonly text: string;
  readonly example: string;
  /** The page of the documents that says more, with its part. */
  readonly guide: string;
}

/**
 * What is explained next to tiles and column heads, by a name of its own. A metric has the name
 * that the service gives it.
 */
export const explanations = {
  mentions: {
    title: "Mentions",
    text: "An answer counts when one of your names is in its text. How often does not matter.",
    example:
      "Your name is in 43 of 100 answers: 43%. “38–49% likely” is where the true share lies, " +
      "as a rule; the fewer prompts, the wider it is.",
    guide: "metrics/mentions",
  },
  "overall-visibility": {
    title: "Visibility",
    text: "An answer counts when it names you or links to one of your pages.",
    example: "40 of 100 answers name you, and 5 others link to your site: 45%.",
    guide: "metrics/overall-visibility",
  },
  citations: {
    title: "Citations",
    text: "An answer counts when it gives one of your pages as a source.",
    example: "20 of 100 answers link to a page of your domains: 20%.",
    guide: "metrics/citations",
  },
  rank: {
    title: "Rank",
    text:
      "Your place in the order in which you and your competitors are first named, as the mean " +
      "over the answers that name you. 1 is best, so a fall is good.",
    example: "First in one answer and third in another: 2.0.",
    guide: "metrics/rank",
  },
  shareOfVoice: {
    title: "Share of voice",
    text:
      "Of all mentions of you and your competitors, the part that is yours. The shares of all " +
      "that you track add up to 100%.",
    example: "You are named in 40 answers, your two competitors in 35 and 25: 40%.",
    guide: "guide/insights#a-summary",
  },
  answers: {
    title: "Answers",
    text:
      "How many answers the row rests on. Below them are those in which you are neither named " +
      "nor linked to. Press a number to read them.",
    example: "“36” and “12 without”: 24 of the 36 answers show you.",
    guide: "guide/evidence",
  },
  stability: {
    title: "Stability",
    text:
      "How alike the sources of two consecutive answers are, from 0% (none in common) to 100% " +
      "(the same). The number below says how many pairs of answers were compared.",
    example:
      "One answer cites two domains, the next one of them: 50%. Where it is low, a source that " +
      "is missing today may be back tomorrow.",
    guide: "guide/insights#stability",
  },
  class: {
    title: "Class",
    text:
      "Whose a source is: your own, a competitor's, or a third party's. It follows the domains " +
      "that you entered in Setup.",
    example: "A shop that neither you nor a competitor owns is a third party.",
    guide: "guide/mentions-and-citations#own-domains",
  },
  share: {
    title: "Share",
    text: "The part of all citations that go to this source. All shares add up to 100%.",
    example: "500 citations in all, 25 of them of this source: 5%.",
    guide: "guide/sources-and-paging#what-is-counted",
  },
  sourceCitations: {
    title: "Citations",
    text: "Each page that an answer cites counts once, however often the answer links to it.",
    example: "An answer that cites two pages of a domain adds 2 to the domain.",
    guide: "guide/sources-and-paging#what-is-counted",
  },
  sourceAnswers: {
    title: "Answers",
    text:
      "How many answers cite the source at least once. “without us” opens those of them in which " +
      "you are neither named nor linked to.",
    example: "An answer that cites three pages of a domain counts once here.",
    guide: "guide/insights#gaps",
  },
  change: {
    title: "Change",
    text:
      "Against the period that is compared, for the prompts, providers and regions that are in " +
      "both. An arrow stands only where chance does not explain it.",
    example: "“+0.4 pts · no clear change”: as much happens by chance.",
    guide: "guide/insights#verdicts",
  },
  onlyCompetitors: {
    title: "Only competitors",
    text: "Answers that cite this source and show a competitor, but not you.",
    example: "633: so many answers drew on it and left you out.",
    guide: "guide/insights#gaps",
  },
  onlyBrand: {
    title: "Only you",
    text: "Answers that cite this source and show you, but none of your competitors.",
    example: "116: so many answers drew on it and named you alone.",
    guide: "guide/insights#gaps",
  },
  difference: {
    title: "Difference",
    text: "The answers of one side less those of the other: how one-sided the source is.",
    example: "633 with only competitors and 116 with only you: 517.",
    guide: "guide/insights#gaps",
  },
  opportunity: {
    title: "Opportunity",
    text:
      "Which part of all answers cites this source and shows a competitor without you. It ranks " +
      "sources by what there is to win, and forecasts nothing.",
    example: "A source in 1% of all answers, where 46% of those leave you out: 0.46%.",
    guide: "guide/insights#gaps",
  },
  contribution: {
    title: "Contribution",
    text:
      "How much of the whole change comes from this row. All rows add up to the change. Among " +
      "many rows, some contribute by chance.",
    example: "Of +2.8 pts, one topic brings +2.0 pts: most of the change is there.",
    guide: "guide/insights#why-it-changed",
  },
  ownChange: {
    title: "Own change",
    text:
      "How the row's own value changed, whatever its part in the whole, and whether that is " +
      "more than chance.",
    example: "From 40% to 46% with an arrow: a change that chance does not explain.",
    guide: "guide/insights#verdicts",
  },
  answersPerPrompt: {
    title: "Answers a prompt",
    text: "How many answers to each prompt are collected in the period.",
    example: "60 prompts with 10 answers each are 600 answers.",
    guide: "guide/insights#plan",
  },
  planCost: {
    title: "Cost",
    text:
      "What these answers would cost, by the prices of your providers: the cost per answer times " +
      "the answers.",
    example: "600 answers at $0.02 each: $12.",
    guide: "guide/insights#plan",
  },
  leastChange: {
    title: "Least change now",
    text:
      "The smallest change that as many prompts as you have now would show. A smaller one is " +
      "lost in chance.",
    example: "4 pts: from 40% to 44% would be seen, from 40% to 42% not.",
    guide: "guide/insights#plan",
  },
  duplicates: {
    title: "Duplicates",
    text: "Lines that were recorded before. They change nothing and are not counted twice.",
    example: "The same file imported again: every line is a duplicate.",
    guide: "guide/import#duplicates-and-conflicts",
  },
  rejected: {
    title: "Rejected",
    text: "Lines that could not be read; the import said why. The others are recorded.",
    example: "A line whose date is missing is rejected.",
    guide: "guide/import#rejected-lines",
  },
  scopes: {
    title: "Scopes",
    text: "What a program may do with the key. No scope includes another one.",
    example: "read: see numbers. import: bring in answers. manage: change keys and Setup.",
    guide: "guide/keys-and-sessions#scopes",
  },
  branded: {
    title: "Branded",
    text: "A prompt that has your name in it. Answers to it name you more often.",
    example: "“Is the Tarnfell stove good?” is branded, “Which stove is good?” is not.",
    guide: "guide/workspace-file#fields",
  },
  missing: {
    title: "Missing",
    text: "Questions that got no answer: the provider failed or gave none in time.",
    example: "“478 of 480” answered: 2 are missing, and are not counted as answers without you.",
    guide: "guide/collection#when-something-fails",
  },
} as const satisfies Readonly<Record<string, Explanation>>;

/** The name of an explanation. */
export type ExplanationName = keyof typeof explanations;
