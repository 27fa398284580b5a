import type {
  CallToolResult,
  McpServer,
  StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import {
  ApiError,
  ConnectionError,
  type Sightline,
  SightlineError,
  TimeoutError,
} from "@sightline/client";
import { type FieldError, fieldErrors, nearestName, quoted } from "@sightline/contract";
import { z } from "zod";
import { shownText } from "./shown-text.ts";
import { ToolFault } from "./tool-fault.ts";

/** The service as a tool uses it: the client, or direct calls inside the service. */
type AskedService = Pick<Sightline, "analytics" | "evidence" | "insights" | "workspace">;

/** Calls `each` for all items, in order; a service yields to its other callers in between. */
export type InTurns = <Item>(
  items: readonly Item[],
  each: (item: Item, index: number) => void,
) => Promise<void>;

/** What a tool needs for a call. */
export interface ToolContext {
  readonly sightline: AskedService;
  readonly inTurns: InTurns;
  /** The time of day: milliseconds since 1970. */
  readonly nowMs: number;
  /** Aborts when the reply is no longer needed. */
  readonly signal: AbortSignal;
}

/** A tool's reply. */
interface ToolReply<Structured> {
  /** The complete data. */
  readonly structured: Structured;
  /** The gist in a sentence or two, without any text from an answer. */
  readonly text: string;
}

/** A read-only tool. */
interface Tool<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** For the model: its purpose, its cost, and which parts of its reply are data. */
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  /**
   * Runs the tool.
   * @throws ToolFault, or an error of the client; both are shown as the tool's error.
   */
  readonly answer: (
    context: ToolContext,
    given: z.output<Input>,
  ) => Promise<ToolReply<z.input<Output>>>;
}

/** A tool with arguments of any shape. */
export interface AnyTool {
  readonly name: string;
  /** Schema of its data; not in the list of tools, with which every conversation begins. */
  readonly output: z.ZodObject;
  readonly addTo: (server: McpServer, host: ToolHost) => void;
}

/** What the tools share. */
export interface ToolHost {
  readonly sightline: AskedService;
  readonly inTurns: InTurns;
  readonly now: () => number;
  /** Called for unexpected errors; the model only learns that one happened. */
  readonly onUnforeseen: (error: unknown) => void;
}

/** A tool as the list of all holds it. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Tool<Input, Output>,
): AnyTool {
  const { name, title, description, output } = tool;
  const config = {
    title,
    description,
    inputSchema: checkedInput(tool.input),
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  };
  return {
    name,
    output,
    addTo: (server, { sightline, inTurns, now, onUnforeseen }) => {
      server.registerTool(name, config, async (given, { mcpReq }): Promise<CallToolResult> => {
        try {
          const context = { sightline, inTurns, nowMs: now(), signal: mcpReq.signal };
          return callResult(await tool.answer(context, given));
        } catch (error) {
          // Nobody reads the result: the client cancelled the call, or disconnected.
          const isGone = mcpReq.signal.aborted;
          const text = isGone ? "The call was cancelled." : toolFailure(error, onUnforeseen);
          return { content: [{ type: "text", text }], isError: true };
        }
      });
    },
  };
}

/**
 * The gist, then the data as JSON, which the protocol requires because some clients show a model
 * only text.
 */
function callResult({ structured, text }: ToolReply<Record<string, unknown>>): CallToolResult {
  return {
    content: [
      { type: "text", text },
      { type: "text", text: JSON.stringify(structured) },
    ],
    structuredContent: structured,
  };
}

/** A schema whose errors say where, what is allowed, what was sent and the nearest name. */
function checkedInput<Input extends z.ZodObject>(
  schema: Input,
): StandardSchemaWithJSON<z.input<Input>, z.output<Input>> {
  const standard = schema["~standard"];
  return {
    "~standard": {
      version: standard.version,
      vendor: standard.vendor,
      jsonSchema: {
        ...standard.jsonSchema,
        input: (options) => withoutBounds(standard.jsonSchema.input(options)),
      },
      validate: (value) => {
        const parsed = schema.safeParse(value, { reportInput: true });
        if (parsed.success) return { value: parsed.data };
        return { issues: [{ message: inputFaults(schema, parsed.error) }] };
      },
    },
  };
}

/** What no model goes by: a call over a bound is refused with the bound. */
const boundNames: readonly string[] = ["$schema", "minLength", "maxLength", "maxItems"];

/** A JSON Schema for the list of tools, with which every conversation begins. */
function withoutBounds(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name, value]) => !boundNames.includes(name) && value !== Number.MAX_SAFE_INTEGER)
      .map(([name, value]) => [name, isObject(value) ? withoutBounds(value) : value]),
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The argument that holds the filters. */
const filtersName = "filters";

/** The faults of a tool's arguments, in sentences that say what to do. */
function inputFaults(schema: z.ZodObject, error: z.ZodError): string {
  const faults = fieldErrors(error).map((fault) => {
    if (fault.code === "unknown_field") {
      const misplaced = misplacedField(schema, fault);
      if (misplaced !== null) return misplaced;
    }
    return fault.path === "" ? fault.message : `${fault.path}: ${fault.message}`;
  });
  return faults.join(" ");
}

/** Where a field belongs that is beside the filters instead of in them, or the reverse. */
function misplacedField(schema: z.ZodObject, { path }: FieldError): string | null {
  const [, outer = "", inner] = path.split("/");
  const fields = Object.keys(schema.shape);
  const filters = filtersOf(schema);
  if (inner !== undefined) {
    if (outer !== filtersName || !fields.includes(inner)) return null;
    return `${path}: ${quoted(inner)} belongs next to \`filters\`, not in it.`;
  }
  const isNearField = nearestName(outer, fields) !== null;
  const filter = filters.includes(outer) || isNearField ? outer : nearestName(outer, filters);
  if (filter === null || !filters.includes(filter)) return null;
  const example = `{"${filtersName}":{"${filter}":…}}`;
  return `${path}: ${quoted(outer)} belongs in \`filters\`: send ${example}.`;
}

function filtersOf({ shape }: z.ZodObject): readonly string[] {
  const field: unknown = shape[filtersName];
  const filters = field instanceof z.ZodOptional ? field.unwrap() : field;
  return filters instanceof z.ZodObject ? Object.keys(filters.shape) : [];
}

/** A failure's text is ours, but it may repeat input. */
const failureCharactersMax = 2_000;

/** The message of a failed call for a model: what happened and what to do. */
function toolFailure(error: unknown, onUnforeseen: (error: unknown) => void): string {
  if (error instanceof ToolFault) return error.message;
  if (error instanceof ApiError) return shownText(refusalText(error), failureCharactersMax);
  if (error instanceof TimeoutError) {
    return "The service did not reply in time. Use a shorter period, or fewer items per call.";
  }
  if (error instanceof ConnectionError) {
    return (
      "The Sightline service could not be reached. Tell the user to check that it runs, and the " +
      "address that this tool was set up with."
    );
  }
  if (error instanceof SightlineError) return shownText(error.message, failureCharactersMax);
  onUnforeseen(error);
  return "The tool failed with an internal error, which is in its log. Retrying will not help.";
}

function refusalText(error: ApiError): string {
  const { code, detail, errors, requestId, retryAfter } = error;
  const faults = errors.map(({ path, message }) => `${path}: ${message}`);
  const parts = [detail, ...faults, adviceFor(code, retryAfter)];
  if (requestId !== null) parts.push(`(${code ?? error.status}, request ${requestId})`);
  return parts.filter((part) => part !== "").join(" ");
}

function adviceFor(code: ApiError["code"], retryAfter: number | undefined): string {
  const wait = retryAfter === undefined ? "a few" : String(retryAfter);
  switch (code) {
    case "rate_limited":
      return `Wait ${wait} seconds, then call again, one tool at a time.`;
    case "quota_exhausted":
      return `No call will work for ${wait} seconds: tell the user, and do not try again.`;
    case "session_required":
    case "session_invalid":
    case "key_invalid":
      return "Tell the user that the API key of this tool must be replaced; do not try again.";
    case "overloaded":
    case "facts_not_ready":
      return `Call again in ${wait} seconds.`;
    case "deadline_exceeded":
      return "Use a shorter period, or fewer items per call.";
    case "internal_error":
      return "Tell the user the request's id, by which its operator finds the failure.";
    default:
      return "";
  }
}
