import { type PeerName, peerNames, peerTitles } from "../peers/peer.ts";
import { markdownTable, prose } from "./markdown.ts";
import type { BoardResult } from "./results.ts";

/** The section of boards, as lines of Markdown. */
export function boardSection(result: BoardResult): readonly string[] {
  const { workload, panels, fresh, versions } = result;
  const peers = peersOf(result);
  const shown = peers.map((name) => `${peerTitles[name]} ${versions[name]}`);
  return [
    `## Boards of ${workload}: ${panels.length} panels asked at the same time`,
    "",
    ...prose(
      `Panels: ${panels.join(", ")}. ${shown.length === 0 ? "No peer" : shown.join(", ")}, asked ` +
        `over ${panels.length} connections as well. \`times\`: how many times as long the peer ` +
        `takes; below 1 the peer is faster. Fresh processes: the median of ${fresh.times}.`,
    ),
    "",
    ...boardTable(result),
    "",
    `Single questions of all kinds, in turns:`,
    "",
    ...singlesTable(result),
    "",
  ];
}

/** Times of boards, next to the peers that were asked. */
export function boardTable(result: BoardResult): readonly string[] {
  const peers = peersOf(result);
  const empty = peers.flatMap(() => ["", ""]);
  return markdownTable(
    ["Board", "Sightline", ...peers.flatMap((name) => [peerTitles[name], "times"])],
    [
      ["first of a fresh process, 90 days", `${result.fresh.medianMs.toFixed(0)} ms`, ...empty],
      ...result.ranges.map(({ days, ours, peers: timings }) => [
        `warm, ${days} days`,
        `${ours.medianMs.toFixed(1)} ms`,
        ...peers.flatMap((name) => {
          const ms = timings[name]?.medianMs;
          if (ms === undefined) return ["", ""];
          return [`${ms.toFixed(0)} ms`, (ms / ours.medianMs).toFixed(1)];
        }),
      ]),
      [
        `${result.people} people, 90 days`,
        `${result.boardsPerSecond.toFixed(1)} boards/s`,
        ...empty,
      ],
    ],
  );
}

/** Single questions over several connections. */
export function singlesTable({ singles }: BoardResult): readonly string[] {
  return markdownTable(
    ["Workload", "Connections", "Questions/s", "Median", "p99"],
    singles.map(({ workload, connections, perSecond, timing }) => [
      workload,
      String(connections),
      perSecond.toFixed(0),
      `${timing.medianMs.toFixed(1)} ms`,
      `${timing.p99Ms.toFixed(0)} ms`,
    ]),
  );
}

function peersOf({ versions }: BoardResult): readonly PeerName[] {
  return peerNames.filter((name) => versions[name] !== undefined);
}
