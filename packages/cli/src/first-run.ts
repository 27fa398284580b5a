/** The link with which the console creates the first account. */
export function firstRunAddress(url: string, code: string): string {
  // In the fragment, which browsers send to nobody: it gets into no log.
  return `${url}/#first-run=${code}`;
}

/** What is printed of a link that creates the first account. */
export function firstRunText(link: string): string {
  return `There is no account yet. Name your brand in a browser:

  ${link}

The link works once, within an hour, and gives a key with every scope. If browsers
reach the service at another address, put that in front of /#first-run.
Another link: sightline keys link`;
}
