export { isAllowedOrigin, type McpCall, type McpReply, mcpOverHttp } from "./over-http.ts";
export { mcpOverStdio, type StdioOptions } from "./over-stdio.ts";
export type { ToolHost } from "./tool.ts";
