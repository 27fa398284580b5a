/** What a model did wrong, or what is missing: its message says what to do, and is shown to it. */
export class ToolFault extends Error {
  override readonly name = "ToolFault";
}
