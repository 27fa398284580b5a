/**
 * Replies of page vendors in the shapes that they document, written by hand: synthetic, not
 * recorded. Read in November 2026: docs.dataforseo.com (SERP API), serpapi.com (google,
 * google_ai_overview, google_ai_mode, bing_copilot), docs.cloro.dev (async tasks).
 */
const frame = { version: "0.1.20261101", status_code: 20000, status_message: "Ok." };
const rank = { rank_group: 1, rank_absolute: 1, page: 1, position: "left" };

function reference(name: string) {
  const url = `https://${name}.example/`;
  const domain = `${name}.example`;
  return {
    type: "ai_overview_reference",
    position: "left",
    source: name,
    domain,
    url,
    title: `About ${name}`,
    text: "…",
  };
}

const markdown = "## Phones\n\n**Acme** leads. [[1]](https://b.example/)\n\n- Bolt is cheap";
const aiOverview = {
  type: "ai_overview",
  ...rank,
  markdown,
  references: [reference("a"), reference("b")],
  items: [
    {
      type: "ai_overview_element",
      position: "left",
      title: null,
      text: "Acme leads.",
      markdown: "**Acme** leads. [[1]](https://b.example/)",
      links: null,
      images: null,
      references: [reference("b")],
    },
    {
      type: "ai_overview_element",
      position: "left",
      title: null,
      text: "Bolt is cheap",
      markdown: "- Bolt is cheap",
      references: [reference("c")],
    },
  ],
};
const organic = { type: "organic", ...rank, domain: "z.example", url: "https://z.example/" };

/** A reply of DataForSEO's about a task. */
export function dataforseoReply(
  task: { readonly code?: number; readonly message?: string; readonly cost?: number },
  items: readonly { readonly type: string; readonly [field: string]: unknown }[] | null,
) {
  const { code = 20000, message = "Ok.", cost = 0.004 } = task;
  const item_types = [...new Set((items ?? []).map(({ type }) => type))];
  const shown = { keyword: "best phone", type: "ai_mode", se_domain: "google.com", item_types };
  const result = items === null ? null : [{ ...shown, items_count: items.length, items }];
  const id = "11251234-1535-0139-0000-0c0ffee0c0de";
  const told = { id, status_code: code, status_message: message, time: "5 sec.", cost };
  const tasks = [{ ...told, result_count: items === null ? 0 : 1, result }];
  return { ...frame, time: "5 sec.", cost, tasks_count: 1, tasks_error: 0, tasks };
}

/** A page of Google's AI Mode, live. */
export const dataforseoAiMode = dataforseoReply({}, [aiOverview]);
/** A page of Google Search with an overview that was loaded. */
export const dataforseoOverview = dataforseoReply({ cost: 0.004 }, [
  { ...aiOverview, asynchronous_ai_overview: true },
  organic,
]);
/** A page of Google Search without an overview. */
export const dataforseoAbsent = dataforseoReply({ cost: 0.002 }, [organic]);
/** A page of Google Search whose overview was still loading. */
export const dataforseoLater = dataforseoReply({ cost: 0.002 }, [
  {
    type: "ai_overview",
    ...rank,
    asynchronous_ai_overview: true,
    markdown: null,
    items: null,
    references: null,
  },
  organic,
]);

/** A reply of SerpApi's. */
export function serpapiReply(engine: string, body: Readonly<Record<string, unknown>>) {
  return {
    search_metadata: { id: "64c32cfeb68f8bc186aaa013", status: "Success", total_time_taken: 4.2 },
    search_parameters: { engine, q: "best phone" },
    ...body,
  };
}

const links = [
  { title: "About a", link: "https://a.example/", snippet: "…", source: "A", index: 0 },
  { title: "About b", link: "https://b.example/", snippet: "…", source: "B", index: 1 },
];
/** Every kind of block that SerpApi documents for Google. */
const serpapiBlocks = [
  { type: "heading", snippet: "Phones" },
  { type: "paragraph", snippet: "Acme leads.", reference_indexes: [1] },
  {
    type: "list",
    list: [
      { title: "Bolt:", snippet: "is cheap", reference_indexes: [0, 1] },
      { snippet: "Others", list: [{ snippet: "Cobb" }] },
    ],
  },
  {
    type: "table",
    table: [
      ["Phone", "Price"],
      ["Acme", "€ 400"],
    ],
  },
  {
    type: "expandable",
    title: "More",
    text_blocks: [{ type: "paragraph", snippet: "Prices change.", reference_indexes: [0] }],
  },
];
/** A page of Google Search with its overview. */
export const serpapiOverview = serpapiReply("google", {
  organic_results: [{ position: 1, link: "https://z.example/" }],
  ai_overview: { text_blocks: serpapiBlocks, references: links },
});
/** A page of Google Search whose overview needs a second request. */
export const serpapiToken = serpapiReply("google", {
  organic_results: [{ position: 1, link: "https://z.example/" }],
  ai_overview: { page_token: "t0k/en+=", serpapi_link: "https://serpapi.com/search.json?…" },
});
/** The reply to the second request. */
export const serpapiLater = serpapiReply("google_ai_overview", {
  ai_overview: { text_blocks: serpapiBlocks, references: links },
});
/** A page of Google Search without an overview. */
export const serpapiAbsent = serpapiReply("google", {
  organic_results: [{ position: 1, link: "https://z.example/" }],
});
/** A page of Google's AI Mode. */
export const serpapiAiMode = serpapiReply("google_ai_mode", {
  text_blocks: serpapiBlocks.slice(0, 3),
  references: links,
  reconstructed_markdown: "# Phones\n\nAcme leads.\n\n- **Bolt:** is cheap\n- Others",
});
/** A page of Copilot, with every kind of block that SerpApi documents for it. */
export const copilotPage = {
  header: "Phones",
  text_blocks: [
    { type: "paragraph", snippet: "Acme leads.", reference_indexes: [1], snippet_links: [] },
    { type: "heading", level: 2, snippet: "Others" },
    { type: "list", list: [{ snippet: "Bolt", reference_indexes: [0] }] },
    { type: "code_block", code: "dial 1", language: "sh" },
    { type: "table", headers: ["Phone"], table: [["Acme"]], formatted: [] },
  ],
  references: links,
};
/** SerpApi's reply with it. */
export const serpapiCopilot = serpapiReply("bing_copilot", copilotPage);

/** A reply of Cloro's about a task. */
export function cloroReply(status: string, more: object = {}) {
  const id = "b27a21e1-7c39-4aa2-a347-23e828c426f9";
  const task = { id, taskType: "COPILOT", status, priority: 1 };
  return { task, credits: { creditsToCharge: 5, creditsCharged: 0 }, ...more };
}

const sources = [
  { position: 1, url: "https://a.example/", label: "About a", description: "…" },
  { position: 2, url: "https://b.example/", label: "About b", description: "…" },
];
const page = { text: "Acme leads.", markdown: "**Acme** leads.", sources };
const charged = { creditsToCharge: 5, creditsCharged: 5 };
/** A page of Copilot. */
export const cloroCopilot = cloroReply("COMPLETED", { credits: charged, response: page });
/** A page of ChatGPT, whose links in the text are apart from what was found. */
export const cloroChatGpt = cloroReply("COMPLETED", {
  credits: charged,
  response: {
    ...page,
    model: "gpt-6-2",
    searchQueries: ["best phone"],
    citationPills: [
      { label: "", citationPillId: 1, url: "https://b.example/", domain: "b.example", position: 2 },
    ],
  },
});
