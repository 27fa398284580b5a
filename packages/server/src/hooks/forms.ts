import type { HookForm } from "@sightline/contract";
import type { Message } from "./message-words.ts";

/** The forms that are requests to a chat. */
export type ChatForm = Exclude<HookForm, "json" | "mail">;

/** A message as the JSON that the webhook of a chat takes. */
export function chatBody(form: ChatForm, message: Message): string {
  return JSON.stringify(bodies[form](message));
}

const bodies: Readonly<Record<ChatForm, (message: Message) => object>> = {
  slack: slackBody,
  teams: teamsBody,
  discord: discordBody,
};

/** The longest text of a block of Slack. */
const slackCharactersMax = 3_000;

/**
 * Blocks of Slack's incoming webhooks. `verbatim` keeps Slack from making links and mentions of
 * what looks like some; what is between < and > is one, and so is escaped.
 */
function slackBody({ title, lines, link }: Message): object {
  const section = (text: string) => ({
    type: "section",
    text: { type: "mrkdwn", text, verbatim: true },
  });
  const open = link === null ? [] : [section(`<${slackText(link.url)}|${slackText(link.text)}>`)];
  const shown = fitted([`*${slackText(title)}*`, ...lines.map(slackText)], slackCharactersMax);
  return { text: slackText(title), unfurl_links: false, blocks: [section(shown), ...open] };
}

function slackText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** A message of Teams has at most 28 KB, of which characters may take up to six in JSON. */
const teamsCharactersMax = 4_000;

/**
 * An Adaptive Card in the message that a workflow of Teams takes. Text blocks would read Markdown;
 * runs of text do not.
 */
function teamsBody({ title, lines, link }: Message): object {
  const run = (text: string, style: object = {}) => ({
    type: "RichTextBlock",
    inlines: [{ type: "TextRun", text, ...style }],
  });
  const actions =
    link === null ? [] : [{ type: "Action.OpenUrl", title: link.text, url: link.url }];
  const content = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    msteams: { width: "Full" },
    body: [
      run(title, { weight: "Bolder", size: "Medium" }),
      ...fitted(lines, teamsCharactersMax)
        .split("\n")
        .map((line) => run(line)),
    ],
    actions,
  };
  const contentType = "application/vnd.microsoft.card.adaptive";
  return { type: "message", attachments: [{ contentType, contentUrl: null, content }] };
}

/** The longest message of Discord. */
const discordCharactersMax = 2_000;
/** Links are not shown as previews of their pages. */
const suppressEmbeds = 4;

/** A message of Discord, which mentions nobody. */
function discordBody({ title, lines, link }: Message): object {
  const open = link === null ? "" : `\n[${discordText(link.text)}](<${link.url}>)`;
  const shown = [`**${discordText(title)}**`, ...lines.map(discordText)];
  return {
    content: `${fitted(shown, discordCharactersMax - open.length)}${open}`,
    allowed_mentions: { parse: [] },
    flags: suppressEmbeds,
  };
}

/** A backslash takes its meaning from any sign of Discord's Markdown, and a link its colon. */
function discordText(text: string): string {
  return text.replace(/[\\*_~`|<>#\-+[\]()@:/!]/g, "\\$&");
}

/** As many whole lines as fit into so many characters, and how many are missing. */
function fitted(lines: readonly string[], charactersMax: number): string {
  const restText = (count: number) => `… and ${count} more`;
  const room = charactersMax - restText(lines.length).length - 1;
  let shown = "";
  for (const [place, line] of lines.entries()) {
    const next = place === 0 ? line : `${shown}\n${line}`;
    if (next.length > room) return `${shown}\n${restText(lines.length - place)}`;
    shown = next;
  }
  return shown;
}

/** The texts of a message as a mail. */
export function mailTexts({ title, lines, link }: Message) {
  const open = link === null ? [] : ["", `${link.text}: ${link.url}`];
  const items = lines.map((line) => `<p style="margin:0 0 8px">${html(line)}</p>`).join("\n");
  const anchor = link === null ? "" : `\n<p><a href="${html(link.url)}">${html(link.text)}</a></p>`;
  return {
    subject: title,
    text: `${[title, "", ...lines, ...open, "", why].join("\n")}\n`,
    html:
      '<!doctype html>\n<html lang="en">\n<body style="font-family:sans-serif">\n' +
      `<h1 style="font-size:18px">${html(title)}</h1>\n${items}${anchor}\n` +
      `<p style="color:#595959;font-size:12px">${why}</p>\n</body>\n</html>\n`,
  };
}

const why =
  "Sightline sends this mail because a webhook of the account has your address. People who " +
  "manage the account can delete the webhook.";

function html(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
