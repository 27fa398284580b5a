import type {
  CallToolResult,
  McpServer,
  StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import type { Sightline } from "@sightline/client";
import type { z } from "zod";
import { inputFaults } from "./input-faults.ts";
import { toolFailure } from "./tool-failure.ts";

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
export interface Tool<Input extends z.ZodObject, Output extends z.ZodObject> {
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
