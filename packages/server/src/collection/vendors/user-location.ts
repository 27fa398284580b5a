import type { AskedQuestion } from "../adapter.ts";

/** A place as OpenAI, Anthropic and Perplexity take it; they call a state its region. */
export interface UserLocation {
  readonly country?: string;
  readonly region?: string;
  readonly city?: string;
}

/** The place of a question, without what it does not name; null: it names none. */
export function userLocationOf({ region, state, city }: AskedQuestion): UserLocation | null {
  const location = {
    ...(region === null ? {} : { country: region }),
    ...(state == null ? {} : { region: state }),
    ...(city == null ? {} : { city }),
  };
  return Object.keys(location).length === 0 ? null : location;
}
