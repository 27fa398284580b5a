/** A setting of the commands that call a service. */
export interface ConnectionSetting {
  readonly flag: string;
  readonly environment: string;
}

/** The settings of the commands that call a service; docs/guide/settings.md describes them. */
export const connectionSettings = {
  url: { flag: "--url", environment: "SIGHTLINE_URL" },
  key: { flag: "--key", environment: "SIGHTLINE_KEY" },
  profile: { flag: "--profile", environment: "SIGHTLINE_PROFILE" },
} as const satisfies Record<string, ConnectionSetting>;

/** Where `serve` listens by default. */
export const urlUnlessSaid = "http://127.0.0.1:8080";

/** The default profile. */
export const profileUnlessSaid = "default";
