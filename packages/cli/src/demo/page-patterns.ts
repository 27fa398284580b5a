import type { SiteKind } from "./sites.ts";

/** What a page's address and title look like; `{slug}` and `{goods}` stand for the topic. */
export type PagePattern = readonly [path: string, title: string];

/** A site's pages on one topic, by the kind of site, from the most cited to the least. */
export const sitePatterns: Readonly<Record<SiteKind, readonly PagePattern[]>> = {
  review: [
    ["/best/{slug}", "The best {goods}, tested"],
    ["/reviews/{slug}/2026", "All {goods} reviewed this season"],
    ["/guides/how-to-choose-{slug}", "How to choose {goods}"],
    ["/compare?category={slug}&sort=score", "Compare {goods}"],
    ["/reviews/{slug}/budget", "Good {goods} for less money"],
    ["/lab/{slug}/method", "How we test {goods}"],
    ["/reviews/{slug}/long-term", "The same {goods}, two years on"],
  ],
  forum: [
    ["/t/which-{slug}-do-you-use/4821", "Which {goods} do you use?"],
    ["/t/{slug}-regrets/7716", "Which {goods} did you regret buying?"],
    ["/viewtopic.php?f=12&t=90{slug}", "{goods}: experiences"],
    ["/t/{slug}-for-beginners/1299", "A beginner's question on {goods}"],
    ["/t/{slug}-after-1000-km/6310", "After 1,000 km: {goods}"],
    ["/c/{slug}", "All threads on {goods}"],
    ["/t/{slug}-on-sale/8044", "Where {goods} are on sale"],
  ],
  magazine: [
    ["/gear/{slug}/buyers-guide", "A buyer's guide to {goods}"],
    ["/2026/03/{slug}-of-the-year", "The {goods} of the year"],
    ["/gear/{slug}/what-matters", "What matters with {goods}"],
    ["/2025/11/winter-{slug}", "For the cold months: {goods}"],
    ["/stories/{slug}-and-us", "What our {goods} have been through"],
    ["/2026/06/{slug}-for-summer", "For the summer: {goods}"],
    ["/gear/{slug}/glossary", "The words around {goods}"],
  ],
  shop: [
    ["/c/{slug}", "Buy {goods}"],
    ["/c/{slug}?page=2&sort=rating", "The best rated {goods}"],
    ["/advice/{slug}", "Our advice on {goods}"],
    ["/c/{slug}/sale", "Reduced {goods}"],
    ["/c/{slug}/new", "New {goods}"],
    ["/c/{slug}/ultralight", "Light {goods}"],
    ["/c/{slug}/rental", "Rent {goods}"],
  ],
  wiki: [
    ["/wiki/{slug}", "{goods}"],
    ["/wiki/History_of_{slug}", "History of {goods}"],
    ["/wiki/List_of_{slug}_makers", "Makers of {goods}"],
    ["/wiki/{slug}_standards", "Standards for {goods}"],
    ["/wiki/{slug}_materials", "Materials of {goods}"],
    ["/wiki/Care_of_{slug}", "Care of {goods}"],
    ["/wiki/{slug}_terms", "Terms around {goods}"],
  ],
  video: [
    ["/watch?v=8fQ{slug}", "Ten {goods} in the rain"],
    ["/watch?v=Kx2{slug}", "The truth about {goods}"],
    ["/watch?v=p0V{slug}", "How to buy {goods}"],
    ["/watch?v=Zu7{slug}", "Cheap and dear {goods}"],
    ["/watch?v=c4M{slug}", "Unpacking {goods}"],
    ["/playlist?list={slug}", "Everything on {goods}"],
    ["/watch?v=Wd9{slug}", "Mistakes with {goods}"],
  ],
};

/**
 * A company's own pages on one topic. Titles leave its name out: some providers show them in the
 * text, where a name counts as a mention, and who is mentioned is decided elsewhere.
 */
export const ownPatterns: readonly PagePattern[] = [
  ["/{slug}", "Official shop: {goods}"],
  ["/{slug}/guide", "The maker's guide to {goods}"],
  ["/{slug}/compare", "Compare all our {goods}"],
];
