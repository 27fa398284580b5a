/** A setting of the commands that ask a service. */
export interface ConnectionSetting {
  readonly flag: string;
  readonly environment: string;
}

/** The settings of the commands that ask a service; docs/guide/settings.md describes them. */
export const connectionSettings = {
  url: { flag: "--url", environment: "SIGHTLINE_URL" },
  key: { flag: "--key", environment: "SIGHTLINE_KEY" },
  profile: { flag: "--profile", environment: "SIGHTLINE_PROFILE" },
} as const satisfies Record<string, ConnectionSetting>;

/** Where `serve` listens unless it is told otherwise. */
export const urlUnlessSaid = "http://127.0.0.1:8080";

/** The profile that is read and written unless another is named. */
export const profileUnlessSaid = "default";
