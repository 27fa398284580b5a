import { createHash } from "node:crypto";
import { entitiesMax, promptsMax } from "@sightline/contract";
import type { Entity } from "../../accounts/workspace.ts";
import { entitiesFault } from "../../accounts/workspace-file/to-workspace.ts";
import {
  type AccountCounts,
  type AccountEnd,
  type AccountHead,
  MoveError,
} from "./account-file.ts";
import { readAccountFile } from "./read-account-file.ts";

/** A file that was read whole and is good. */
export interface CheckedFile {
  readonly head: AccountHead;
  readonly counts: AccountCounts;
  /** SHA-256 of its lines, hexadecimal. */
  readonly sha256: string;
  /** See `OrderHash`, of all answers. */
  readonly answers: string;
}

/** A hash of answers' ids in their order. */
export class OrderHash {
  readonly #hash = createHash("sha256");

  add(answerId: string): void {
    this.#hash.update(answerId);
  }

  digest(): string {
    return this.#hash.digest("hex");
  }
}

/**
 * Reads a file whole, and checks what it says against itself: an answer's prompt and a count's key
 * are in it, no id is twice, and a workspace file could declare what it tracks. Memory grows with
 * prompts and keys, not with answers.
 * @throws MoveError
 */
export async function checkAccountFile(
  path: string,
  onBytes: (bytes: number) => void,
): Promise<CheckedFile> {
  let head: AccountHead | null = null;
  let end: AccountEnd | null = null;
  const ids = () => new Set<string>();
  const declared = { entity: ids(), topic: ids(), prompt: ids(), key: ids() };
  const seen = { ...declared, spend: ids(), sweep: ids() };
  const once = (kind: keyof typeof seen, id: string) => {
    if (seen[kind].has(id)) throw faulty(path, `has the ${kind} ${id} twice`);
    seen[kind].add(id);
  };
  const tracked = { entity: 0, topic: 0, prompt: 0 };
  const entities: Entity[] = [];
  const order = new OrderHash();
  for await (const line of readAccountFile(path, onBytes)) {
    switch (line.kind) {
      case "account":
        head = line;
        break;
      case "entity":
      case "topic":
      case "prompt":
        once(line.kind, line.item.id);
        if (!line.retired) tracked[line.kind]++;
        if (line.kind === "entity" && !line.retired) entities.push(line.item);
        break;
      case "key":
        once("key", line.key.id);
        break;
      case "usage":
        if (!seen.key.has(line.keyId)) throw faulty(path, `lacks the key ${line.keyId}`);
        break;
      case "spend":
        once("spend", `of day ${line.day}, ${line.provider}, ${line.vendor}`);
        break;
      case "sweep":
        once("sweep", line.sweep.id);
        break;
      case "answer":
        if (!seen.prompt.has(line.answer.promptId)) {
          throw faulty(path, `lacks the prompt ${line.answer.promptId}`);
        }
        order.add(line.answer.id);
        break;
      case "label":
        if (seen.entity.has(line.label.entityId)) break;
        throw faulty(path, `lacks the entity ${line.label.entityId}`);
      case "reading":
        if (line.reading.mentioned.every((id) => seen.entity.has(id))) break;
        throw faulty(path, `lacks an entity of the reading of ${line.reading.answerId}`);
      case "end":
        end = line;
    }
  }
  // After the last line: something may stand behind the end.
  if (head === null || end === null) throw faulty(path, "has no end");
  const most = { entity: entitiesMax, topic: promptsMax, prompt: promptsMax };
  for (const kind of ["entity", "topic", "prompt"] as const) {
    if (tracked[kind] <= most[kind]) continue;
    throw faulty(path, `has ${tracked[kind]} lines of ${kind} that are not retired`);
  }
  const brands = entities.filter(({ kind }) => kind === "brand").length;
  if (brands !== 1) throw faulty(path, `has ${brands} brands`);
  const fault = entitiesFault(entities);
  if (fault !== null) throw new MoveError(`${path} is damaged: ${fault}`);
  return { head, counts: end.counts, sha256: end.sha256, answers: order.digest() };
}

function faulty(path: string, what: string): MoveError {
  return new MoveError(`${path} is damaged: it ${what}.`);
}
