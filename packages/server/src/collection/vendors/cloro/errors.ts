import type { FailureRule } from "../reply-failure.ts";

/** Where Cloro's statuses ask for something else than HTTP's do. */
export const cloroErrors: readonly FailureRule[] = [
  // There is a task of this key already: another would be refused for ever, or paid twice.
  { status: 409, says: /^/, class: "give-up" },
  // The page's request was canceled on the way.
  { status: 499, says: /^/, class: "retry" },
];
