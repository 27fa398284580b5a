/**
 * The version of Sightline: what `--version` prints and each package.json contains. The interface
 * has its own version, `info.version` of the OpenAPI document.
 */
export const sightlineVersion = "0.1.0";
