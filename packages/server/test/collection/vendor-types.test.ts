import assert from "node:assert/strict";
import { test } from "node:test";
import type {
  Message,
  MessageCreateParamsNonStreaming,
} from "@anthropic-ai/sdk/resources/messages/messages";
import type {
  ResponsesRequestInput,
  ResponsesResponseOutput,
} from "@perplexity-ai/perplexity_ai/generated/api";
import { questionTo } from "@sightline/test-kit/collection/provider-samples.ts";
import type {
  ResponseCreateParamsNonStreaming,
  Response as ResponseOfOpenai,
} from "openai/resources/responses/responses";
import { anthropicBody } from "../../src/collection/vendors/anthropic.ts";
import { openaiBody } from "../../src/collection/vendors/openai.ts";
import { perplexityBody } from "../../src/collection/vendors/perplexity.ts";
import { documentedReplies } from "./documented-replies.ts";

/*
 * The vendors' own clients say in types what they take and reply. `tsc` compares them: a field that
 * a later version renames or removes does not compile. Nothing of the clients is run.
 */

const place = { region: "US", state: "California", city: "San Francisco" };

test("what is sent is what the vendors' clients take", () => {
  const openai: ResponseCreateParamsNonStreaming = openaiBody(questionTo("openai", place));
  const anthropic: MessageCreateParamsNonStreaming = anthropicBody(questionTo("anthropic", place));
  const perplexity: ResponsesRequestInput = perplexityBody(questionTo("perplexity", place));
  for (const body of [openai, anthropic, perplexity]) {
    assert.match(JSON.stringify(body), /"country":"US","region":"California"/);
  }
});

type ItemOf<Item extends { type: string }, Type extends Item["type"]> = Extract<
  Item,
  { type: Type }
>;
const itemsOf = <Item extends { type: string }, Type extends Item["type"]>(
  items: readonly Item[],
  type: Type,
) => items.filter((item): item is ItemOf<Item, Type> => item.type === type);

/** What the parser of OpenAI reads; all that it needs is in the documented reply. */
function readOfOpenai({ status, model, usage, tool_usage, ...response }: ResponseOfOpenai) {
  const [message] = itemsOf(response.output, "message");
  const [search] = itemsOf(response.output, "web_search_call");
  const [text] = itemsOf(message?.content ?? [], "output_text");
  const [annotation] = itemsOf(text?.annotations ?? [], "url_citation");
  const action = search?.action?.type === "search" ? search.action : undefined;
  const source = action?.sources?.find(({ type }) => type === "url");
  return [
    ...[response.object, status, model, message?.status, message?.phase, text?.text],
    ...[annotation?.url, annotation?.title, annotation?.start_index, annotation?.end_index],
    ...[action?.queries?.[0], source !== undefined && "url" in source ? source.url : undefined],
    ...[usage?.input_tokens, usage?.output_tokens, tool_usage?.web_search.num_requests],
    usage?.input_tokens_details.cached_tokens,
    usage?.input_tokens_details.cache_write_tokens,
  ];
}

/** As `readOfOpenai`. */
function readOfAnthropic({ type, model, stop_reason, content, usage }: Message) {
  const texts = itemsOf(content, "text");
  const cited = texts.flatMap(({ citations }) => citations ?? []);
  const [citation] = itemsOf(cited, "web_search_result_location");
  const [result] = itemsOf(content, "web_search_tool_result");
  const [search] = itemsOf(content, "server_tool_use");
  const found = Array.isArray(result?.content) ? result.content[0] : undefined;
  return [
    ...[type, model, stop_reason, texts[0]?.text, citation?.url, citation?.title],
    ...[found?.url, found?.title, search?.name, search?.input],
    ...[usage.input_tokens, usage.output_tokens, usage.server_tool_use?.web_search_requests],
    ...[usage.cache_read_input_tokens, usage.cache_creation_input_tokens],
  ];
}

/** As `readOfOpenai`. */
function readOfPerplexity({ object, status, model, output, usage }: ResponsesResponseOutput) {
  const [searches] = itemsOf(output, "search_results");
  const [message] = itemsOf(output, "message");
  const [result] = searches?.results ?? [];
  return [
    ...[object, status, model, message?.status, message?.content[0]?.text],
    ...[result?.id, result?.url, result?.title, searches?.queries?.[0]],
    ...[usage?.input_tokens, usage?.output_tokens, usage?.cost?.total_cost, usage?.cost?.currency],
    usage?.input_tokens_details?.cache_read_input_tokens,
    usage?.input_tokens_details?.cache_creation_input_tokens,
    usage?.tool_calls_details?.["web_search"]?.invocation,
  ];
}

/** As the client of a vendor has a reply: JSON whose shape it trusts. */
const parsed = (vendor: keyof typeof documentedReplies) =>
  JSON.parse(JSON.stringify(documentedReplies[vendor]));

test("what is read is what the vendors' clients know, and is in the documented replies", () => {
  const openai: ResponseOfOpenai = parsed("openai");
  const anthropic: Message = parsed("anthropic");
  const perplexity: ResponsesResponseOutput = parsed("perplexity");
  const read = [readOfOpenai(openai), readOfAnthropic(anthropic), readOfPerplexity(perplexity)];
  for (const values of read) {
    assert.deepEqual(
      values.filter((value) => value === undefined),
      [],
    );
  }
});
