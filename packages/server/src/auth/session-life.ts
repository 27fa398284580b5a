/**
 * The longest life of a session: a setting cannot be longer, and a longer token is refused. A file
 * of its own, so that who reads the settings does not load the library of tokens.
 */
export const sessionSecondsMax = 3_600;
