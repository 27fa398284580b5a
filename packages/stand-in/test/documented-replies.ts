import type { Vendor } from "@sightline/contract";

/*
 * No reply of these vendors is recorded. What follows is made from their documents as of November
 * 2026, field by field, and proves no more than that the stand-in sends what they describe:
 * Perplexity's docs.perplexity.ai/api-reference (ResponsesResponse), DataForSEO's
 * docs.dataforseo.com/v3/serp/google, SerpApi's serpapi.com/google-ai-mode-api and
 * /google-ai-overview-api and /bing-copilot-api, Cloro's docs.cloro.dev/api-reference.
 */

const text = "text";
const maybe = (field: string, value: unknown) => [{ [field]: value }, { [field]: null }];

const perplexityAnswer = {
  id: text,
  object: "response",
  created_at: 1,
  status: text,
  model: text,
  error: { message: text, type: text, code: text },
  output: [
    {
      type: "search_results",
      queries: [text],
      results: [
        {
          id: 1,
          url: text,
          title: text,
          snippet: text,
          date: text,
          last_updated: text,
          source: text,
        },
      ],
    },
    {
      type: "message",
      id: text,
      role: text,
      status: text,
      content: [
        {
          type: "output_text",
          text,
          annotations: [
            { type: "url_citation", url: text, title: text, start_index: 1, end_index: 1 },
          ],
        },
      ],
    },
  ],
  usage: {
    input_tokens: 1,
    output_tokens: 1,
    total_tokens: 1,
    input_tokens_details: { cache_creation_input_tokens: 1, cache_read_input_tokens: 1 },
    tool_calls_details: { web_search: { invocation: 1 } },
    cost: {
      currency: "USD",
      input_cost: 1,
      output_cost: 1,
      total_cost: 1,
      cache_creation_cost: 1,
      cache_read_cost: 1,
      tool_calls_cost: 1,
    },
  },
};

const reference = {
  type: "ai_overview_reference",
  position: text,
  source: text,
  domain: text,
  url: text,
  title: text,
  text,
};
const element = {
  type: "ai_overview_element",
  position: text,
  text,
  markdown: text,
  title: null,
  links: null,
};
const overview = {
  type: "ai_overview",
  rank_group: 1,
  rank_absolute: 1,
  position: text,
  asynchronous_ai_overview: true,
};
const dataforseoPage = {
  keyword: text,
  se_domain: text,
  check_url: text,
  datetime: text,
  location_code: 1,
  language_code: text,
  items_count: 1,
  item_types: [text],
  items: [
    {
      ...overview,
      markdown: text,
      references: [reference],
      items: [
        { ...element, references: [reference] },
        { ...element, references: null },
      ],
    },
    { ...overview, markdown: null, references: null, items: null },
    {
      type: "organic",
      rank_group: 1,
      rank_absolute: 1,
      domain: text,
      title: text,
      url: text,
      description: text,
    },
  ],
};
const dataforseoPages = ["ai_mode", "organic"].map((type) => ({ ...dataforseoPage, type }));
const dataforseoTask = {
  id: text,
  status_code: 1,
  status_message: text,
  time: text,
  cost: 1,
  result_count: 1,
  path: [text],
  data: {
    api: text,
    se: text,
    se_type: text,
    keyword: text,
    location_code: 1,
    language_code: text,
    tag: text,
    load_async_ai_overview: true,
  },
};
const dataforseoReply = {
  version: text,
  status_code: 1,
  status_message: text,
  time: text,
  cost: 1,
  tasks_count: 1,
  tasks_error: 1,
  tasks: maybe("result", dataforseoPages).map((result) => ({ ...dataforseoTask, ...result })),
};

const snippet = { snippet: text, reference_indexes: [1] };
const serpapiOverview = {
  text_blocks: [
    { type: "paragraph", ...snippet },
    { type: "list", list: [snippet] },
  ],
  references: [{ title: text, link: text, snippet: text, source: text, index: 1 }],
};
const serpapiReply = {
  search_metadata: {
    id: text,
    status: text,
    created_at: text,
    processed_at: text,
    total_time_taken: 1,
  },
  search_parameters: { engine: text, q: text },
  error: text,
};

const cloroPage = {
  text,
  markdown: text,
  model: text,
  searchQueries: [text],
  search_model_queries: [text],
  sources: [{ position: 1, url: text, label: text, description: text }],
  citationPills: [{ citationPillId: 1, url: text, label: text, domain: text, position: 1 }],
};
const cloroTask = {
  success: true,
  task: {
    id: text,
    taskType: text,
    status: text,
    priority: 1,
    createdAt: text,
    idempotencyKey: text,
  },
  credits: { creditsToCharge: 1, creditsCharged: 1 },
};

/** Replies as the documents describe them, each with all the fields that the stand-in may send. */
export const documentedReplies: Readonly<Partial<Record<Vendor, readonly unknown[]>>> = {
  perplexity: [perplexityAnswer],
  dataforseo: [dataforseoReply],
  serpapi: [
    { ...serpapiReply, ...serpapiOverview, reconstructed_markdown: text },
    { ...serpapiReply, ...serpapiOverview, header: text },
    {
      ...serpapiReply,
      ai_overview: { ...serpapiOverview, page_token: text, serpapi_link: text },
      organic_results: [{ position: 1, title: text, link: text, snippet: text, source: text }],
    },
  ],
  cloro: [
    { ...cloroTask, response: cloroPage },
    ...maybe("aioverview", cloroPage).map((response) => ({ ...cloroTask, response })),
    { ...cloroTask, response: { success: true, error: text } },
  ],
  // Of the vendors with recordings, what none of these shows.
  openai: [
    {
      output: [{ type: "message", content: [{ type: "refusal", refusal: text }] }],
      incomplete_details: { reason: text },
      // Newer than the recordings: the types of OpenAI's own client have them.
      tool_usage: { web_search: { num_requests: 1 } },
      usage: { input_tokens_details: { cache_write_tokens: 1 } },
    },
  ],
  anthropic: [
    {
      content: [{ type: "web_search_tool_result", content: { type: text, error_code: text } }],
    },
  ],
  xai: [
    {
      output: [
        {
          type: "message",
          content: [
            { type: "refusal", refusal: text },
            {
              type: "output_text",
              annotations: [{ type: "url_citation", title: text, start_index: 1, end_index: 1 }],
            },
          ],
        },
      ],
      citations: [text],
      incomplete_details: { reason: text },
      usage: { cost_in_usd_ticks: 1 },
    },
  ],
};
