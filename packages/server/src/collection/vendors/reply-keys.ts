import type { Vendor } from "@sightline/contract";

/** The keys of a vendor's replies, as paths such as `output[].content[].text`. */
export interface ReplyKeys {
  /** Keys that the parser reads of an answer with a search; all must be present. */
  readonly read: readonly string[];
  /** All keys of recorded or documented replies; any other is new. */
  readonly known: ReadonlySet<string>;
}

const keys = (read: string, known: string): ReplyKeys => {
  return { read: read.trim().split(/\s+/), known: new Set(known.trim().split(/\s+/)) };
};

/** The keys by vendor, for `collect check`. When a parser reads another key, add it here. */
export const replyKeys: Readonly<Record<Vendor, ReplyKeys>> = {
  openai: keys(
    `
    model status output[].type output[].content[].type output[].content[].text
    output[].content[].annotations output[].content[].annotations[].type
    output[].content[].annotations[].url output[].content[].annotations[].start_index
    output[].content[].annotations[].end_index output[].action.type output[].action.sources[].url
    usage.input_tokens usage.output_tokens usage.input_tokens_details.cached_tokens
    tool_usage.web_search.num_requests
  `,
    `
    background billing.payer completed_at content_filters created_at error frequency_penalty id
    incomplete_details instructions max_output_tokens max_tool_calls metadata model object
    output[].action.pattern output[].action.queries output[].action.query
    output[].action.sources[].type output[].action.sources[].url output[].action.type
    output[].action.url output[].content[].annotations[].end_index
    output[].content[].annotations[].start_index output[].content[].annotations[].title
    output[].content[].annotations[].type output[].content[].annotations[].url
    output[].content[].logprobs output[].content[].text output[].content[].type
    output[].encrypted_content output[].id output[].role output[].status output[].summary
    output[].type parallel_tool_calls presence_penalty previous_response_id prompt_cache_key
    prompt_cache_retention reasoning.effort reasoning.summary safety_identifier service_tier
    status store temperature text.format.type text.verbosity tool_choice
    tool_usage.web_search.num_requests tools[].filters.allowed_domains tools[].search_context_size
    tools[].type tools[].user_location.city tools[].user_location.country
    tools[].user_location.region tools[].user_location.timezone tools[].user_location.type
    top_logprobs top_p truncation usage.input_tokens usage.input_tokens_details.cache_write_tokens
    usage.input_tokens_details.cached_tokens usage.output_tokens
    usage.output_tokens_details.reasoning_tokens usage.total_tokens user
  `,
  ),
  anthropic: keys(
    `
    model stop_reason content[].type content[].text content[].citations[].url
    content[].citations[].title content[].content[].url usage.input_tokens usage.output_tokens
    usage.cache_read_input_tokens usage.cache_creation_input_tokens
    usage.server_tool_use.web_search_requests
  `,
    `
    content[].citations[].cited_text content[].citations[].encrypted_index
    content[].citations[].title content[].citations[].type content[].citations[].url
    content[].content[].encrypted_content content[].content[].page_age content[].content[].title
    content[].content[].type content[].content[].url content[].id content[].input.query
    content[].name content[].signature content[].text content[].thinking content[].tool_use_id
    content[].type id model role stop_reason stop_sequence type
    usage.cache_creation.ephemeral_1h_input_tokens usage.cache_creation.ephemeral_5m_input_tokens
    usage.cache_creation_input_tokens usage.cache_read_input_tokens usage.input_tokens
    usage.output_tokens usage.server_tool_use.web_fetch_requests
    usage.server_tool_use.web_search_requests usage.service_tier
  `,
  ),
  gemini: keys(
    `
    modelVersion candidates[].finishReason candidates[].content.parts[].text
    candidates[].groundingMetadata.webSearchQueries
    candidates[].groundingMetadata.groundingChunks[].web.uri
    candidates[].groundingMetadata.groundingSupports[].groundingChunkIndices
    candidates[].groundingMetadata.groundingSupports[].segment.endIndex
    usageMetadata.promptTokenCount usageMetadata.candidatesTokenCount
  `,
    `
    candidates[].content.parts[].text candidates[].content.role candidates[].finishReason
    candidates[].groundingMetadata.groundingChunks[].web.title
    candidates[].groundingMetadata.groundingChunks[].web.uri
    candidates[].groundingMetadata.groundingSupports[].groundingChunkIndices
    candidates[].groundingMetadata.groundingSupports[].segment.endIndex
    candidates[].groundingMetadata.groundingSupports[].segment.startIndex
    candidates[].groundingMetadata.groundingSupports[].segment.text
    candidates[].groundingMetadata.searchEntryPoint.renderedContent
    candidates[].groundingMetadata.webSearchQueries candidates[].index modelVersion responseId
    usageMetadata.candidatesTokenCount usageMetadata.promptTokenCount
    usageMetadata.promptTokensDetails[].modality usageMetadata.promptTokensDetails[].tokenCount
    usageMetadata.thoughtsTokenCount usageMetadata.toolUsePromptTokenCount
    usageMetadata.toolUsePromptTokensDetails[].modality
    usageMetadata.toolUsePromptTokensDetails[].tokenCount usageMetadata.totalTokenCount
  `,
  ),
  perplexity: keys(
    `
    model status output[].type output[].results[].url output[].content[].text
    output[].content[].annotations[].url usage.input_tokens usage.output_tokens
    usage.cost.total_cost usage.cost.currency
  `,
    `
    created_at id model object output[].content[].annotations[].end_index
    output[].content[].annotations[].start_index output[].content[].annotations[].title
    output[].content[].annotations[].type output[].content[].annotations[].url
    output[].content[].text output[].content[].type output[].id output[].queries
    output[].results[].date output[].results[].id output[].results[].last_updated
    output[].results[].snippet output[].results[].source output[].results[].title
    output[].results[].url output[].role output[].status output[].type status usage.cost.currency
    usage.cost.input_cost usage.cost.output_cost usage.cost.tool_calls_cost usage.cost.total_cost
    usage.input_tokens usage.input_tokens_details.cache_creation_input_tokens
    usage.input_tokens_details.cache_read_input_tokens usage.output_tokens
    usage.tool_calls_details.web_search.invocation usage.total_tokens
  `,
  ),
  xai: keys(
    `
    model status output[].type output[].content[].type output[].content[].text
    output[].content[].annotations output[].content[].annotations[].type
    output[].content[].annotations[].url output[].content[].annotations[].start_index
    usage.input_tokens usage.output_tokens usage.cost_in_usd_ticks
  `,
    `
    citations created_at id incomplete_details max_output_tokens metadata model object
    output[].arguments output[].call_id output[].content[].annotations[].end_index
    output[].content[].annotations[].start_index output[].content[].annotations[].title
    output[].content[].annotations[].type output[].content[].annotations[].url
    output[].content[].logprobs output[].content[].text output[].content[].type output[].id
    output[].name output[].role output[].status output[].type parallel_tool_calls
    previous_response_id reasoning.effort reasoning.summary status store temperature
    text.format.type tool_choice tools[].search_context_size tools[].type top_p
    usage.cost_in_usd_ticks usage.input_tokens usage.input_tokens_details.cached_tokens
    usage.num_server_side_tools_used usage.num_sources_used usage.output_tokens
    usage.output_tokens_details.reasoning_tokens usage.total_tokens user
  `,
  ),
  dataforseo: keys(
    `
    status_code cost tasks[].status_code tasks[].result[].item_types tasks[].result[].items[].type
  `,
    `
    cost status_code status_message tasks[].cost tasks[].data.api tasks[].data.depth
    tasks[].data.device tasks[].data.keyword tasks[].data.language_code
    tasks[].data.load_async_ai_overview tasks[].data.location_code tasks[].data.se
    tasks[].data.se_type tasks[].data.tag tasks[].id tasks[].path tasks[].result[].check_url
    tasks[].result[].datetime tasks[].result[].item_types
    tasks[].result[].items[].asynchronous_ai_overview tasks[].result[].items[].description
    tasks[].result[].items[].domain tasks[].result[].items[].items[].links
    tasks[].result[].items[].items[].markdown tasks[].result[].items[].items[].position
    tasks[].result[].items[].items[].references[].domain
    tasks[].result[].items[].items[].references[].position
    tasks[].result[].items[].items[].references[].source
    tasks[].result[].items[].items[].references[].text
    tasks[].result[].items[].items[].references[].title
    tasks[].result[].items[].items[].references[].type
    tasks[].result[].items[].items[].references[].url tasks[].result[].items[].items[].text
    tasks[].result[].items[].items[].title tasks[].result[].items[].items[].type
    tasks[].result[].items[].markdown tasks[].result[].items[].position
    tasks[].result[].items[].rank_absolute tasks[].result[].items[].rank_group
    tasks[].result[].items[].references[].domain tasks[].result[].items[].references[].position
    tasks[].result[].items[].references[].source tasks[].result[].items[].references[].text
    tasks[].result[].items[].references[].title tasks[].result[].items[].references[].type
    tasks[].result[].items[].references[].url tasks[].result[].items[].title
    tasks[].result[].items[].type tasks[].result[].items[].url tasks[].result[].items_count
    tasks[].result[].keyword tasks[].result[].language_code tasks[].result[].location_code
    tasks[].result[].se_domain tasks[].result[].type tasks[].result_count tasks[].status_code
    tasks[].status_message tasks[].time tasks_count tasks_error time version
  `,
  ),
  serpapi: keys(
    `
    search_metadata.status
  `,
    `
    ai_overview.page_token ai_overview.references[].index ai_overview.references[].link
    ai_overview.references[].snippet ai_overview.references[].source
    ai_overview.references[].title ai_overview.serpapi_link
    ai_overview.text_blocks[].list[].reference_indexes ai_overview.text_blocks[].list[].snippet
    ai_overview.text_blocks[].reference_indexes ai_overview.text_blocks[].snippet
    ai_overview.text_blocks[].type header organic_results[].link organic_results[].position
    organic_results[].snippet organic_results[].source organic_results[].title
    reconstructed_markdown references[].index references[].link references[].snippet
    references[].source references[].title search_metadata.created_at search_metadata.id
    search_metadata.processed_at search_metadata.status search_metadata.total_time_taken
    search_parameters.engine search_parameters.q text_blocks[].list[].reference_indexes
    text_blocks[].list[].snippet text_blocks[].reference_indexes text_blocks[].snippet
    text_blocks[].type
  `,
  ),
  cloro: keys(
    `
    success task.id task.status response.text response.sources[].url
  `,
    `
    credits.creditsCharged credits.creditsToCharge response.citationPills[].citationPillId
    response.citationPills[].domain response.citationPills[].label
    response.citationPills[].position response.citationPills[].url response.markdown
    response.model response.search_model_queries response.sources[].description
    response.sources[].label response.sources[].position response.sources[].url response.text
    success task.createdAt task.id task.idempotencyKey task.priority task.status task.taskType
  `,
  ),
  reader: keys(
    `
    model choices[].message.content choices[].finish_reason
    usage.prompt_tokens usage.completion_tokens
  `,
    `
    choices[].finish_reason choices[].index choices[].logprobs choices[].message.content
    choices[].message.refusal choices[].message.role created id model object service_tier
    system_fingerprint usage.completion_tokens usage.prompt_tokens
    usage.prompt_tokens_details.cached_tokens usage.total_tokens
  `,
  ),
};
