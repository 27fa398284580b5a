/**
 * The version of Sightline: what `--version` prints and what each package.json says. The interface
 * has a version of its own, `info.version` of the OpenAPI document.
 */
export const sightlineVersion = "0.1.0";
