import type { Block } from "./blocks.ts";

/** A block that the tests do not run. */
interface NotRun {
  readonly page: string;
  /** What the block begins with. */
  readonly begins: string;
  /** What it needs that a test cannot have. */
  readonly reason: string;
}

/** Every block that is not run. One that is not found any more fails the test. */
export const notRun: readonly NotRun[] = [
  {
    page: "docs/guide/collection-providers.md",
    begins: "{",
    reason: "a paid request to a vendor; documented-requests.test.ts compares it with what is sent",
  },
  {
    page: "docs/decisions/stand-in.md",
    begins: "{",
    reason: "what is said to the stand-in; the tests of its faults say such bodies",
  },
  {
    page: "docs/guide/collection-page-vendors.md",
    begins: "{",
    reason: "a paid request to a vendor",
  },
  {
    page: "docs/guide/settings.md",
    begins: "date: ",
    reason: "a price list by itself; read-prices.test.ts reads it",
  },
  {
    page: "docs/guide/mail.md",
    begins: "export SIGHTLINE_SMTP_URL",
    reason: "needs an SMTP server with that login; mailer.service.test.ts sends through one",
  },
  {
    page: "docs/guide/people.md",
    begins: "./sightline people link",
    reason: "needs somebody who has joined; people-commands.service.test.ts makes such a link",
  },
  {
    page: "docs/guide/people.md",
    begins: "export SIGHTLINE_PUBLIC_URL",
    reason: "needs a provider; provider.service.test.ts signs in at one",
  },
  {
    page: "docs/guide/people.md",
    begins: "export SIGHTLINE_TRUSTED_PROXIES",
    reason: "serves until it is stopped; proxy.service.test.ts asks with these settings",
  },
  { page: "README.md", begins: "npm test", reason: "it is the run that this test belongs to" },
  {
    page: "docs/guide/operations.md",
    begins: "sudo -u sightline",
    reason: "needs a system with the user sightline and a service in /opt",
  },
  {
    page: "docs/guide/operations.md",
    begins: "PostgreSQL 15",
    reason: "needs the engines of a cluster; cluster-commands.crash.test.ts compares the lines",
  },
  { page: "docs/guide/operations.md", begins: "docker build", reason: "needs a container engine" },
  {
    page: "docs/guide/operations.md",
    begins: "docker run --rm",
    reason: "needs a container engine",
  },
  {
    page: "docs/guide/other-tools.md",
    begins: "npx -p typescript@5",
    reason: "downloads a generator; tasks/generators runs it",
  },
  ...["import createClient", "import { exchangeAccessKey"].map((begins) => ({
    page: "docs/guide/other-tools.md",
    begins,
    reason: "needs what the generators write; tasks/generators checks its types and runs it",
  })),
  { page: "docs/guide/other-tools.md", begins: "*/5 * * * *", reason: "a line for cron" },
  {
    page: "docs/guide/operations.md",
    begins: "server {",
    reason: "a part of the configuration of nginx, which packages/server/test/proxy runs",
  },
  {
    page: "packages/cli/README.md",
    begins: "./tasks/build",
    reason: "installs for the whole machine; tasks/trial installs the packed package in a folder",
  },
  {
    page: "packages/cli/README.md",
    begins: "sightline demo",
    reason: "needs that install; tasks/trial runs it",
  },
  {
    page: "packages/python/README.md",
    begins: "python3 packages/python/wheel_of_files.py",
    reason: "installs for the whole machine; the client's own test installs the wheel in a folder",
  },
  {
    page: "packages/client/README.md",
    begins: "./tasks/build",
    reason: "builds and packs; tasks/trial does that",
  },
  {
    page: "packages/client/README.md",
    begins: "npm install",
    reason: "installs the packed package; tasks/trial does that",
  },
];

/** The entry that says that a block is not run. */
export function notRunEntry({ page, text }: Block): NotRun | undefined {
  return notRun.find((entry) => entry.page === page && text.startsWith(entry.begins));
}
