import type { AppliedWorkspace } from "@sightline/client";
import { countOf, countText } from "../data/format.ts";
import { Icon } from "../parts/icon.tsx";
import { Tag, type TagKind } from "../parts/tag.tsx";
import css from "../setup/setup.module.css";

type Change = AppliedWorkspace["changes"]["created"][number];

/** Lines of a group that are shown. */
const shownMax = 40;

type Edits = ReadonlyMap<string, readonly string[]>;

interface DifferenceProps {
  readonly applied: AppliedWorkspace;
  /** What of an item is edited, in words, by its id; undefined: not known. */
  readonly edits: Edits | undefined;
}

/** What an apply changes, or would change: answers first, then items by what happens to them. */
export function Difference({ applied, edits }: DifferenceProps) {
  const { changes, answersNoLongerCounted: lost, answersCountedAgain: again } = applied;
  const { created, updated, retired, returned } = changes;
  const back = new Set(returned.map(({ kind, id }) => `${kind} ${id}`));
  const edited = updated.filter(({ kind, id }) => !back.has(`${kind} ${id}`));
  const isNothing = created.length + updated.length + retired.length === 0;
  if (isNothing) return <p>This is what is tracked already: saving it would change nothing.</p>;
  return (
    <>
      {lost === 0 ? null : (
        <div className={css["warning"]}>
          <Icon name="warn" />
          <div>
            <strong>
              {countOf(lost, "answer")} {lost === 1 ? "stops" : "stop"} counting
            </strong>
            <p>
              Their prompts are removed. They stay recorded, and count again with their prompts.
            </p>
          </div>
        </div>
      )}
      {again === 0 ? null : (
        <p>
          <strong>
            {countOf(again, "answer")} {again === 1 ? "counts" : "count"} again
          </strong>
          , since their prompts return.
        </p>
      )}
      <Group title="New" kind="better" changes={created} />
      <Group title="Back, with its history" kind="better" changes={returned} />
      <Group title="Edited" kind="accent" changes={edited} edits={edits} />
      <Group title="Removed" kind="worse" changes={retired} />
      <p className="small quiet">
        It applies to all recorded answers. While they are read again, pages show the numbers of
        before.
      </p>
    </>
  );
}

interface GroupProps {
  readonly title: string;
  readonly kind: TagKind;
  readonly changes: readonly Change[];
  readonly edits?: Edits | undefined;
}

function Group({ title, kind, changes, edits }: GroupProps) {
  if (changes.length === 0) return null;
  const more = changes.length - shownMax;
  return (
    <section className={css["group"]}>
      <h3>
        {title} <span className="quiet">{countText(changes.length)}</span>
      </h3>
      <ul>
        {changes.slice(0, shownMax).map((change) => (
          <li key={`${change.kind}${change.id}`}>
            <Tag kind={kind}>{change.kind}</Tag>
            <span>
              {change.name}
              {(edits?.get(change.id) ?? []).map((words) => (
                <span key={words} className={css["edit"]}>
                  {words}
                </span>
              ))}
            </span>
          </li>
        ))}
        {more > 0 ? <li className="quiet">and {countText(more)} more</li> : null}
      </ul>
    </section>
  );
}
