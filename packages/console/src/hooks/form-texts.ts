import type { HookForm } from "@sightline/client";

interface FormText {
  readonly title: string;
  /** Where an address is from. */
  readonly hint: string;
  readonly placeholder: string;
}

/** What events are sent as, in words. */
export const formTexts: Readonly<Record<HookForm, FormText>> = {
  json: {
    title: "Signed JSON",
    hint: "https, and reachable from the service.",
    placeholder: "https://hooks.example.com/sightline",
  },
  slack: {
    title: "Slack",
    hint: "Of an app of yours: Incoming Webhooks, Add New Webhook.",
    placeholder: "https://hooks.slack.com/services/…",
  },
  teams: {
    title: "Microsoft Teams",
    hint: "Of a workflow of the channel: When a Teams webhook request is received.",
    placeholder: "https://….logic.azure.com/workflows/…",
  },
  discord: {
    title: "Discord",
    hint: "Of the channel’s settings: Integrations, Webhooks.",
    placeholder: "https://discord.com/api/webhooks/…",
  },
  mail: {
    title: "Mail",
    hint: "Up to 20, separated by commas; everybody sees them all.",
    placeholder: "team@example.com",
  },
};
