/** The version by which the server names itself to assistants. */
export const mcpVersion = "0.1.0";
