/** An error of a model, or something missing: the message says what to do, and is shown to it. */
export class ToolFault extends Error {
  override readonly name = "ToolFault";
}
