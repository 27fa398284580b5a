/**
 * The longest lifetime of a session: a setting cannot be longer, and a longer token is rejected. In
 * a separate file, so that reading the settings does not load the JWT library.
 */
export const sessionSecondsMax = 3_600;
