/**
 * The longest lifetime of a session, in seconds: longer settings are invalid, and tokens that live
 * longer are rejected. In its own file, so that reading the settings does not load the JWT library.
 */
export const sessionSecondsMax = 3_600;
