import { useState } from "react";
import { countText } from "../data/format.ts";
import { Breakable } from "../parts/breakable.tsx";
import { Button, IconButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { CheckField, Field, inputClass, TagField } from "../parts/fields.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { Nothing } from "../parts/panel.tsx";
import { Table } from "../parts/table.tsx";
import { Tag } from "../parts/tag.tsx";
import { DomainField } from "./domain-field.tsx";
import { type DraftEntity, type DraftName, plainEntity, withEntity } from "./draft.ts";
import type { ItemState } from "./draft-changes.ts";
import { Removed, StateTag } from "./draft-items.tsx";
import type { DraftEditor } from "./draft-store.ts";
import css from "./tracked.module.css";

interface EntitiesProps {
  readonly editor: DraftEditor;
  readonly mayChange: boolean;
}

/** Lists longer than this have a search. */
const searchedFrom = 12;

/** The brand and its competitors. */
export function Entities({ editor, mayChange }: EntitiesProps) {
  const { draft, changes, change } = editor;
  const { brand, competitors } = draft;
  const [edited, setEdited] = useState<DraftEntity | null>(null);
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLowerCase();
  const shown = competitors.filter((each) => textOf(each).includes(wanted));
  const done = (entity: DraftEntity) => {
    change(withEntity(draft, entity));
    setEdited(null);
  };
  const remove = ({ key }: DraftEntity) =>
    change({ ...draft, competitors: competitors.filter((each) => each.key !== key) });
  const rows = { stateOf: changes.stateOf, onEdit: mayChange ? setEdited : null };
  return (
    <>
      <Card
        title="Brand"
        text="The brand whose visibility is measured. An account has exactly one."
      >
        <EntityTable {...rows} caption="The brand" entities={[brand]} onRemove={null} />
      </Card>
      <Card
        title={`Competitors · ${countText(competitors.length)}`}
        tools={
          <CompetitorTools
            isSearched={competitors.length >= searchedFrom}
            search={search}
            onSearch={setSearch}
            onAdd={mayChange ? () => setEdited(plainEntity()) : null}
          />
        }
      >
        {competitors.length === 0 ? (
          <Nothing
            title="No competitors yet"
            text="Shares and ranks need other brands. Add those your buyers compare you with."
          />
        ) : (
          <EntityTable
            {...rows}
            caption="Competitors"
            entities={shown}
            onRemove={mayChange ? remove : null}
          />
        )}
        <Removed
          items={changes.removed.competitors}
          nameOf={({ name }) => name}
          onRestore={(entity) => change({ ...draft, competitors: [...competitors, entity] })}
        />
      </Card>
      {edited === null ? null : (
        <EntityDialog
          entity={edited}
          kind={edited.key === brand.key ? "brand" : "competitor"}
          state={edited.id === undefined ? "new" : "same"}
          onDone={done}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}

interface CompetitorToolsProps {
  readonly isSearched: boolean;
  readonly search: string;
  readonly onSearch: (search: string) => void;
  readonly onAdd: (() => void) | null;
}

function CompetitorTools({ isSearched, search, onSearch, onAdd }: CompetitorToolsProps) {
  return (
    <>
      {isSearched ? (
        <input
          type="search"
          className={css["search"]}
          aria-label="Search competitors"
          placeholder="Search"
          value={search}
          onChange={({ target }) => onSearch(target.value)}
        />
      ) : null}
      {onAdd === null ? null : (
        <Button icon="plus" onClick={onAdd}>
          Add competitor
        </Button>
      )}
    </>
  );
}

interface EntityTableProps {
  readonly caption: string;
  readonly entities: readonly DraftEntity[];
  readonly stateOf: (entity: DraftEntity) => ItemState;
  readonly onEdit: ((entity: DraftEntity) => void) | null;
  readonly onRemove: ((entity: DraftEntity) => void) | null;
}

function EntityTable({ caption, entities, stateOf, onEdit, onRemove }: EntityTableProps) {
  return (
    <div className={css["entities"]}>
      <Table
        caption={caption}
        rows={entities}
        keyOf={({ key }) => key}
        columns={[
          {
            key: "name",
            title: "Name",
            cell: (entity) => (
              <span className={css["name"]}>
                {onEdit === null ? (
                  entity.name
                ) : (
                  <button type="button" className={css["link"]} onClick={() => onEdit(entity)}>
                    {entity.name}
                  </button>
                )}
                {entity.caseSensitive ? <Tag>Aa</Tag> : null}
                <StateTag state={stateOf(entity)} />
              </span>
            ),
          },
          {
            key: "aliases",
            title: "Aliases",
            drops: 1,
            cell: ({ aliases, except }) => (
              <Names
                names={[
                  ...aliases,
                  ...except.map((each) => ({ name: `not “${each}”`, caseSensitive: false })),
                ]}
              />
            ),
          },
          {
            key: "domains",
            title: "Domains",
            cell: ({ domains }) => (
              <Names names={domains.map((name) => ({ name, caseSensitive: false }))} />
            ),
          },
          {
            key: "remove",
            title: <span className="visually-hidden">Remove</span>,
            figure: true,
            cell: (entity: DraftEntity) =>
              onRemove === null ? null : (
                <IconButton
                  icon="close"
                  label={`Remove ${entity.name}`}
                  onClick={() => onRemove(entity)}
                />
              ),
          },
        ]}
      />
    </div>
  );
}

function Names({ names }: { readonly names: readonly DraftName[] }) {
  if (names.length === 0) return <span className="quiet">–</span>;
  return (
    <span className={css["names"]}>
      {names.map(({ name, caseSensitive }) => (
        <Tag key={name}>
          <span>
            <Breakable text={caseSensitive ? `${name} · Aa` : name} />
          </span>
        </Tag>
      ))}
    </span>
  );
}

function textOf({ name, aliases, domains }: DraftEntity): string {
  return [name, ...aliases.map((each) => each.name), ...domains].join("\n").toLowerCase();
}

interface EntityDialogProps {
  readonly entity: DraftEntity;
  readonly kind: "brand" | "competitor";
  readonly state: ItemState;
  readonly onDone: (entity: DraftEntity) => void;
  readonly onClose: () => void;
}

/** The names and domains of the brand or a competitor. Nothing is saved yet when it closes. */
export function EntityDialog({ entity, kind, state, onDone, onClose }: EntityDialogProps) {
  const [edited, setEdited] = useState(entity);
  const change = (part: Partial<DraftEntity>) => setEdited({ ...edited, ...part });
  const isNew = state === "new" && entity.name === "";
  return (
    <FormDialog
      title={isNew ? "Add a competitor" : `Edit ${entity.name}`}
      action={isNew ? "Add" : "Done"}
      isReady={edited.name.trim() !== ""}
      onSubmit={() => onDone({ ...edited, name: edited.name.trim() })}
      onClose={onClose}
    >
      <Field
        label="Name"
        hint={
          edited.id !== undefined && edited.name !== entity.name
            ? "Renaming keeps the history: the id identifies the entity, not the name."
            : "It is mentioned by this name and by its aliases."
        }
      >
        {(field) => (
          <input
            {...field}
            className={inputClass}
            maxLength={500}
            // biome-ignore lint/a11y/noAutofocus: the dialog was opened to fill this in
            autoFocus
            value={edited.name}
            onChange={({ target }) => change({ name: target.value })}
          />
        )}
      </Field>
      <CheckField
        checked={edited.caseSensitive}
        onChange={(caseSensitive) => change({ caseSensitive })}
      >
        Match case: “Arc” counts, “arc” does not
      </CheckField>
      <TagField
        label="Aliases"
        hint="Other names that count as mentions. Press Enter to add one; Aa matches case."
        placeholder={kind === "brand" ? "Acme Labs" : "Globex Corporation"}
        values={edited.aliases}
        cases
        onChange={(aliases) => change({ aliases })}
      />
      <DomainField
        hint="Citations of these hosts and their subdomains are its own. Add a path to narrow one."
        placeholder={kind === "brand" ? "acme.example" : "globex.example"}
        values={edited.domains}
        onChange={(domains) => change({ domains })}
      />
      <TagField
        label="Not a mention"
        hint="Phrases that contain a name but mean something else, such as “spar penge” for Spar."
        placeholder="Phrase"
        values={edited.except.map((name) => ({ name, caseSensitive: false }))}
        onChange={(values) => change({ except: values.map(({ name }) => name) })}
      />
    </FormDialog>
  );
}
