import { readdirSync, readlinkSync } from "node:fs";

/** The files below a folder that this process has open, each once. */
export function openFilesBelow(folder: string): readonly string[] {
  const links = readdirSync("/proc/self/fd").map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return ""; // the descriptor with which the folder was read
    }
  });
  return [...new Set(links.filter((link) => link.startsWith(folder)))];
}
