import { readFileSync } from "node:fs";
import {
  type FieldError,
  fieldErrors,
  intervals,
  type LinkRequest,
  type LinkView,
  type ListedLink,
  linkKinds,
  linkPages,
  linkRequestSchema,
  metricNames,
  quoted,
} from "@sightline/contract";
import { workspaceOf } from "@sightline/server/account-store";
import { declaredPart } from "@sightline/server/declared-workspaces";
import { linkPath, manyLinks, readLinkRequest } from "@sightline/server/link-request";
import { type LinkPagePlace, linksOf, revokeLink } from "@sightline/server/link-store";
import { Links, listedLink } from "@sightline/server/links";
import { reportsOf } from "@sightline/server/report-store";
import type { Storage } from "@sightline/server/storage";
import { Command, Option } from "commander";
import { withExamples } from "../examples.ts";
import { choiceOption } from "../option-values.ts";
import { plainTable } from "../output/plain-table.ts";
import {
  type FilterOptions,
  type InsightOptions,
  withAnswerFilters,
  withInsightOptions,
} from "../questions/filter-options.ts";
import { chosenOf } from "../questions/filters.ts";
import { CommandError, printResult } from "../result.ts";
import { accountOf, type DataOptions, placeOf, requireExisting, withStorage } from "../storage.ts";

interface LinksOptions extends DataOptions {
  readonly account?: string;
}

interface CreateOptions extends LinksOptions, FilterOptions, InsightOptions {
  readonly kind: LinkRequest["kind"];
  readonly report?: string;
  readonly page: LinkView["page"];
  readonly period: string;
  readonly compare?: string;
  readonly metric?: NonNullable<LinkView["metric"]>;
  readonly interval?: NonNullable<LinkView["interval"]>;
  readonly evidence?: boolean;
  readonly passwordFile?: string;
  readonly expiresIn?: string;
  readonly url?: string;
}

/** `sightline links create | list | revoke`: addresses that show a view or report. */
export function linksCommand(): Command {
  const links = new Command("links");
  const dataOptions = (command: Command) =>
    command
      .option("--account <id>", "the account; may be left out when there is only one")
      .option("--data-dir <dir>", "folder of all data (default: SIGHTLINE_DATA_DIR, else ./data)")
      .option("--json", "print one JSON document");
  const create = links
    .command("create")
    .description("create a share link; its address is shown only once")
    .argument("<name>", "what it shows; recipients see it as the title")
    .addOption(
      choiceOption(
        "--kind <kind>",
        "a page, a table, a picture or a made report",
        linkKinds,
      ).default("view"),
    )
    .addOption(choiceOption("--page <page>", "what is shown", linkPages).default("overview"))
    .option("--period <period>", "such as 12w, last-month or 2026-01-01..2026-03-31", "12w")
    .option("--compare <with>", "previous, year-ago, none or a date (default: previous)")
    .addOption(choiceOption("--metric <metric>", "of the course over time", metricNames))
    .addOption(choiceOption("--interval <interval>", "length of a bucket of it", intervals))
    .option("--evidence", "texts of answers are shown, too")
    .option("--password-file <file>", "a file whose first line recipients have to type")
    .option("--expires-in <duration>", "how long it is valid, such as 90d (default: no expiry)")
    .option("--url <url>", "where recipients reach the service (default: SIGHTLINE_PUBLIC_URL)")
    .action(createLink);
  withReportOption(withInsightOptions(withAnswerFilters(create)));
  dataOptions(create);
  const list = dataOptions(links.command("list"))
    .description("list share links, newest first; never their addresses")
    .action(listLinks);
  const revoke = dataOptions(links.command("revoke"))
    .description("end a share link immediately")
    .argument("<linkId>", "the link's id, as create and list show it")
    .action(revokeOne);
  withExamples(
    create,
    ['sightline links create "For the board" --expires-in 90d', "a page that shows 12 weeks"],
    ["sightline links create Sheet --kind csv --page sources", "a table for a spreadsheet"],
    [
      'sightline links create "October, for the board" --report "Monthly report"',
      "the newest report of this name",
    ],
  );
  withExamples(list, ["sightline links list --json", "every link as one document"]);
  withExamples(revoke, [
    "sightline links revoke 3f2a9c1e-5b7d-4e8a-9c0f-1d2e3f4a5b6c",
    "its address shows nothing more",
  ]);
  return withExamples(links, ["sightline links list", "ids, names, and when they were opened"]);
}

/** The options that do not say what a view shows. */
const ofEachKind: readonly string[] = ["kind", "passwordFile", "expiresIn", "url"];

/** Adds the report, with which nothing of a view can be said. */
function withReportOption(command: Command): void {
  const ofViews = command.options
    .map((option) => option.attributeName())
    .filter((name) => !ofEachKind.includes(name));
  command.addOption(
    new Option(
      "--report <report>",
      "a made report in place of a view: its id, or its name for the newest",
    )
      .implies({ kind: "report" })
      .conflicts(ofViews),
  );
}

async function createLink(name: string, options: CreateOptions): Promise<void> {
  requireExisting(options);
  const password = passwordOf(options.passwordFile);
  const { kind, report, evidence, expiresIn } = options;
  const base = (options.url ?? placeOf(options).publicUrl ?? "").replace(/\/+$/, "");
  const document = await withStorage(options, async (storage) => {
    const accountId = await accountOf(storage, options.account);
    const request = requestOf({
      name,
      kind,
      ...(kind === "report" ? {} : { view: await viewOf(storage, accountId, options) }),
      ...(report === undefined ? {} : { reportId: await reportIdOf(storage, accountId, report) }),
      ...(evidence === true ? { showsEvidence: true } : {}),
      ...(password === undefined ? {} : { password }),
      ...(expiresIn === undefined ? {} : { expiresIn }),
    });
    const { control, clock } = storage;
    const read = await readLinkRequest(control, accountId, request, clock.now());
    if ("faults" in read) throw refused(read.faults);
    const links = new Links(storage);
    const made = await links.create(accountId, read.properties);
    if (made === null) throw new CommandError(manyLinks);
    const address = `${base}${linkPath(kind, made.token)}`;
    return { ...(await listedLink(links, made.link)), address };
  });
  const { address, linkId, expiresAt } = document;
  const text = [
    `${address}\n`,
    `Link ${linkId} is valid ${expiresAt === null ? "without expiry" : `until ${expiresAt}`}.`,
    "The address is not stored and cannot be shown again.",
    ...(base === "" ? ["It begins with the address of the service: see --url."] : []),
  ].join("\n");
  printResult(options.json === true, document, text);
}

/** @throws CommandError with each fault. */
function requestOf(given: object): LinkRequest {
  const read = linkRequestSchema.safeParse(given, { reportInput: true });
  if (read.success) return read.data;
  throw refused(fieldErrors(read.error));
}

function refused(faults: readonly FieldError[]): CommandError {
  const lines = faults.map(({ path, message }) => `${path.slice(1) || "link"}: ${message}`);
  return new CommandError(lines.join("\n"), 2);
}

/** The id of a report by what was typed: an id, or a name, of which it is the newest. */
async function reportIdOf({ control }: Storage, accountId: string, typed: string): Promise<string> {
  const [newest] = await reportsOf(control, accountId, { name: typed, after: null, limit: 1 });
  if (newest !== undefined) return newest.id;
  if (idShape.test(typed)) return typed;
  const detail = `No report was made by the name ${quoted(typed)}. See: sightline reports list`;
  throw new CommandError(detail, 2);
}

const idShape = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

async function viewOf(storage: Storage, accountId: string, options: CreateOptions) {
  const { page, period, compare, metric, interval } = options;
  return {
    page,
    period,
    ...(compare === undefined ? {} : { compare }),
    ...(metric === undefined ? {} : { metric }),
    ...(interval === undefined ? {} : { interval }),
    ...(await filtersOf(storage, accountId, options)),
  };
}

/** The first line of a file: arguments of a process are read by everybody on the machine. */
function passwordOf(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, "utf8").split(/\r?\n/)[0] ?? "";
  } catch {
    throw new CommandError(`--password-file: ${file} cannot be read.`, 2);
  }
}

async function filtersOf(storage: Storage, accountId: string, options: CreateOptions) {
  const named = async () => {
    const workspace = await workspaceOf(storage.control, accountId);
    if (workspace === null) throw new CommandError(`No account has the id ${accountId}.`, 2);
    return declaredPart(workspace);
  };
  // A view says its period in its own words.
  const { filters, exclude } = await chosenOf(options, { from: "", to: "" }, named);
  const { timeRange: _, ...lists } = filters;
  return {
    ...(Object.keys(lists).length === 0 ? {} : { filters: lists }),
    ...(exclude === undefined ? {} : { exclude }),
  };
}

async function listLinks(options: LinksOptions): Promise<void> {
  requireExisting(options);
  const links = await withStorage(options, async (storage) => {
    const known = new Links(storage);
    const found = await allLinks(storage, await accountOf(storage, options.account));
    return Promise.all(found.map((link) => listedLink(known, link)));
  });
  printResult(options.json === true, { links }, linksText(links));
}

/** Links are few at a time, but those that ended stay. */
const pageLinks = 1_000;

async function allLinks({ control }: Storage, accountId: string) {
  const links: Awaited<ReturnType<typeof linksOf>>[number][] = [];
  for (let before: LinkPagePlace["before"] = null; ; ) {
    const page = await linksOf(control, accountId, { before, limit: pageLinks });
    links.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < pageLinks) return links;
    before = last;
  }
}

function linksText(links: readonly ListedLink[]): string {
  if (links.length === 0) return "There are no share links.";
  return plainTable(
    ["link", "kind", "shows", "name", "state", "expires", "last used", "uses"],
    links.map(({ linkId, kind, view, reportId, name, state, expiresAt, lastUsedAt, uses }) => [
      ...[
        linkId,
        kind,
        view === null ? reportId : `${view.page} ${view.period}`,
        name,
        state,
        expiresAt,
        lastUsedAt,
        uses,
      ],
    ]),
  );
}

async function revokeOne(linkId: string, options: LinksOptions): Promise<void> {
  requireExisting(options);
  const link = await withStorage(options, async (storage) => {
    const accountId = await accountOf(storage, options.account);
    const revoked = await revokeLink(storage.control, accountId, linkId, storage.clock.now());
    return revoked === null ? null : listedLink(new Links(storage), revoked);
  });
  if (link === null) {
    throw new CommandError(`No share link has the id ${linkId}. See: sightline links list`);
  }
  printResult(options.json === true, link, `Link ${link.linkId} is revoked.`);
}
