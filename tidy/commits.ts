import { execFileSync } from "node:child_process";

/** A commit, as git tells it. */
export interface Commit {
  readonly hash: string;
  readonly subject: string;
  readonly body: string;
}

/** Older commits were made before there was a check. By author date, which a rebase keeps. */
const checkedFrom = Date.parse("2026-11-23T13:00:00Z");

/** So many of the latest commits are checked: those before them were, when they were the latest. */
const commitsMax = 50;

const subjectColumnsMax = 75;
const bodyColumnsMax = 120;

/** What is wrong with a commit's message; empty when nothing is. */
export function messageFaults({ hash, subject, body }: Commit): readonly string[] {
  const columns = (line: string) => [...line].length;
  const faults: string[] = [];
  if (columns(subject) > subjectColumnsMax) {
    faults.push(`subject has ${columns(subject)} columns; the limit is ${subjectColumnsMax}`);
  }
  if (!/^[a-z]+(?:\([a-z-]+\))?: \S/.test(subject)) {
    faults.push("subject is not of the form type(scope): what changes for the reader");
  }
  if (body.trim() === "") faults.push("no body; say why, and how it was checked");
  const widest = Math.max(...body.split("\n").map(columns));
  if (widest > bodyColumnsMax) {
    faults.push(`a line of the body has ${widest} columns; the limit is ${bodyColumnsMax}`);
  }
  return faults.map((fault) => `${hash.slice(0, 8)} "${subject}": ${fault}`);
}

/** The latest commits of a folder's history that are no merges; null where there is no history. */
export function latestCommits(folder: string): readonly Commit[] | null {
  const format = "--format=%H%x00%at%x00%s%x00%b%x01";
  let log: string;
  try {
    log = execFileSync("git", ["log", "--no-merges", `--max-count=${commitsMax}`, format], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return null;
  }
  return log.split("\u0001\n").flatMap((entry) => {
    const [hash = "", seconds, subject = "", body = ""] = entry.split("\0");
    if (hash === "" || Number(seconds) * 1000 < checkedFrom) return [];
    return [{ hash, subject, body }];
  });
}
