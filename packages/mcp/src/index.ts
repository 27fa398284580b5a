/** The mcp's version, as it names itself to the service. */
export const mcpVersion = "0.1.0";
