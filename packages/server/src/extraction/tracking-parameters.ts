/**
 * Query parameters that say where a visitor came from and never what a page shows; in lower case,
 * compared without case. The list is conservative: `ref`, `source`, `si` or `campaign_id` identify
 * content on some sites, so they stay. A change here raises `rules` (extraction-version.ts) and is
 * described in docs/guide/mentions-and-citations.md.
 */
export const trackingParameters: ReadonlySet<string> = new Set([
  // Google: ads, Analytics, Merchant Center
  ...["gclid", "gclsrc", "gbraid", "wbraid", "dclid", "gad_source", "gad_campaignid", "srsltid"],
  ...["_ga", "_gl", "_gac"],
  // Other advertisers' click ids
  ...["fbclid", "msclkid", "yclid", "ymclid", "twclid", "ttclid", "li_fat_id", "rdt_cid", "epik"],
  ...["sccid", "irclickid", "rb_clickid", "_openstat"],
  // Social networks' share marks
  ...["igshid", "igsh", "ref_src", "__twitter_impression"],
  // Mail and marketing tools
  ...["mc_cid", "mc_eid", "_hsenc", "_hsmi", "__hssc", "__hstc", "__hsfp", "hsctatracking"],
  ...["mkt_tok", "vero_id", "vero_conv", "oly_anon_id", "oly_enc_id", "_kx", "wickedid", "_bhlid"],
  ...["ml_subscriber", "ml_subscriber_hash", "_branch_match_id"],
  // Matomo's older names
  ...["pk_campaign", "pk_kwd", "pk_keyword", "pk_source", "pk_medium", "pk_content"],
  // Yahoo's consent redirects
  ...["guccounter", "guce_referrer", "guce_referrer_sig"],
]);

/** The prefixes of further such parameters. */
export const trackingPrefixes: readonly string[] = ["utm_", "mtm_", "hsa_"];

/** Whether a query parameter only tracks, by its name in any case. */
export function isTrackingParameter(name: string): boolean {
  const lower = name.toLowerCase();
  if (trackingParameters.has(lower)) return true;
  return trackingPrefixes.some((prefix) => lower.startsWith(prefix));
}

/**
 * Query parameters of a video's page that say where it begins, who shared it, or how it was found,
 * on YouTube alone: elsewhere some of these names identify content.
 */
export const videoMarks: ReadonlySet<string> = new Set([
  ...["t", "start", "time_continue", "si", "pp", "feature", "ab_channel"],
]);

/** Whether a query parameter on YouTube only says how a video was reached, by its name. */
export function isVideoMark(name: string): boolean {
  return videoMarks.has(name.toLowerCase());
}
