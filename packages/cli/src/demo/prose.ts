/** How answers begin when they go on to name companies; `{goods}` is filled in. */
export const openings: readonly string[] = [
  "The short answer: it depends on where you walk and how much you want to carry. For most " +
    "people a few makers of {goods} come up again and again in tests and in forums.",
  "There is no single winner among {goods}, but independent tests agree on a small group that " +
    "is safe to buy.",
  "I looked at recent tests, long-term reports and what owners say about {goods}. These are the " +
    "names that stand out, and why.",
  "When it comes to {goods}, reviewers weigh three things: weight, how long they last, and what " +
    "happens when something breaks.",
  "Good {goods} have become lighter over the last seasons, and the differences between the " +
    "better makers are smaller than their prices suggest.",
];

/** How answers begin that name no company. */
export const generalOpenings: readonly string[] = [
  "With {goods}, the right choice depends less on the label than on how you use them. Start " +
    "from the conditions that you really meet, not from the worst that you can imagine.",
  "Before you look at makers of {goods}, settle a few questions for yourself. They rule out " +
    "most of what is on offer.",
  "Reviews of {goods} often contradict each other, since the testers weigh things differently. " +
    "The points below are those on which they agree.",
  "You do not need the dearest {goods}. You need the ones that fit your trips, and that you will " +
    "still want to carry on the third day.",
];

/** The headings above the companies. */
export const pickHeadings: readonly string[] = [
  "## Recommended {goods}",
  "## Our picks",
  "### Makers worth a look",
  "## Top choices for {goods}",
];

/** The headings above the general advice. */
export const adviceHeadings: readonly string[] = [
  "## What to look for",
  "### How to choose",
  "## Points to check before buying",
  "### What matters with {goods}",
];

/** What stands in place of the brand's praise once its launch is out; one has the alias alone. */
export const launchPraise: readonly string[] = [
  "**Tarnfell** has the newest design here, the Skerry 2: 980 grams for two people.",
  "**Tarnfell Skerry 2**, new this spring, stands on its own with a single hooped pole.",
  "The new **Skerry 2** is the lightest double-wall shelter in this comparison.",
  "Tarnfell's Skerry 2 won most of this season's comparisons, and its fly is sewn from one piece.",
];

/** Sentences that follow a company's praise. */
export const remarks: readonly string[] = [
  "Owners mention it most for long trips.",
  "It is not the cheapest, but it holds its value when sold used.",
  "Sizes run small, so try before you order.",
  "Stock can be thin at the start of the season.",
  "The two-year reports are better than the first impressions.",
  "A sensible default if you do not want to think about it for long.",
  "Its customer service answers within a day, by most accounts.",
  "The cheaper line is fine for weekends.",
];

/** Sentences that compare two companies: `{first}` and `{second}`. */
export const comparisons: readonly string[] = [
  "Between {first} and {second} the difference is mostly one of weight: choose the former for " +
    "rough ground, the latter for long days.",
  "If you can try only two, compare {first} with {second} in a shop.",
  "{first}’s range is wider; {second} does fewer things and does them well.",
  "Testers who preferred **{second}** to {first} walked mostly above the tree line.",
];

/** How answers end. */
export const closings: readonly string[] = [
  "**Bottom line:** buy for the trips you make every month, and rent for the one you make every " +
    "ten years.",
  "Prices and models change with each season, so check the date of any test before you rely on it.",
  "If you tell me where you go, in which months and with how much luggage, I can narrow this down.",
  "*Whatever you choose, use it for a night close to home first.*",
  "One more thing: a good fit beats every figure on the label, so order two sizes and send one " +
    "back.",
];
