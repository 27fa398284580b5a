import type { WorkspaceFile } from "@sightline/client";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { type NewSession, SessionError } from "../data/session.ts";
import { Button } from "../parts/button.tsx";
import { Field, inputClass, TagField } from "../parts/fields.tsx";
import { Refused } from "../parts/refused.tsx";
import { copyText } from "../parts/save.ts";
import { DomainField } from "./domain-field.tsx";
import css from "./new-account.module.css";
import { PasteField, usePaste } from "./paste-field.tsx";
import type { PastedPrompt } from "./pasted-prompts.ts";
import { spellerOf } from "./prompt-tags.ts";
import { comparedBrands, suggestedAliases, typedCompetitors } from "./typed-brand.ts";

interface NewAccountProps {
  readonly create: (file: WorkspaceFile) => Promise<NewSession>;
  /** The new account is shown from now on. */
  readonly onDone: (session: NewSession) => void;
  /** Leaves without an account; null: there is nowhere to go. */
  readonly onBack: (() => void) | null;
}

interface TypedBrand {
  readonly name: string;
  readonly domains: readonly string[];
  readonly aliases: readonly string[];
  /** As it is typed. */
  readonly competitors: string;
}

interface Typed {
  readonly brand: TypedBrand;
  readonly prompts: string;
}

/** Where the tab keeps what is typed over a reload, until the account is created. */
const place = "sightline.new-account";

const nothing: Typed = {
  brand: { name: "", domains: [], aliases: [], competitors: "" },
  prompts: "",
};

function keptTyped(): Typed {
  try {
    const kept = JSON.parse(sessionStorage.getItem(place) ?? "null") as Typed | null;
    return typeof kept?.brand?.name === "string" ? kept : nothing;
  } catch {
    return nothing;
  }
}

function keep(typed: Typed | null): void {
  try {
    if (typed === null) sessionStorage.removeItem(place);
    else sessionStorage.setItem(place, JSON.stringify(typed));
  } catch {
    // A browser that keeps nothing.
  }
}

/** Creates an account step by step: the brand, the prompts, and the key to keep. */
export function NewAccount({ create, onDone, onBack }: NewAccountProps) {
  const [first] = useState(keptTyped);
  const [brand, setBrand] = useState(first.brand);
  const [isAtPrompts, setAtPrompts] = useState(false);
  const paste = usePaste(noTexts, first.prompts);
  const [created, setCreated] = useState<NewSession | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  const [isRunning, setRunning] = useState(false);
  const isCreated = created !== null;
  useEffect(() => {
    if (!isCreated) keep({ brand, prompts: paste.text });
  }, [brand, paste.text, isCreated]);

  const send = async () => {
    setRunning(true);
    setFailure(null);
    try {
      const session = await create(fileOf(brand, paste.read.prompts));
      keep(null);
      setCreated(session);
    } catch (error) {
      setFailure(error instanceof Error ? error : new Error(String(error)));
    } finally {
      setRunning(false);
    }
  };
  if (created !== null) return <KeyStep session={created} onDone={() => onDone(created)} />;
  if (!isAtPrompts) {
    return (
      <BrandStep
        brand={brand}
        onChange={setBrand}
        onNext={() => setAtPrompts(true)}
        onBack={onBack}
      />
    );
  }
  const { prompts } = paste.read;
  const rivals = comparedBrands(
    prompts.map(({ text }) => text),
    [brand.name, ...brand.aliases, ...competitorsOf(brand).map(({ name }) => name)],
  );
  const addRival = (name: string) =>
    setBrand({ ...brand, competitors: `${brand.competitors}\n${name}`.trim() });
  return (
    <Step
      at={2}
      title="What do buyers ask?"
      text={promptsText}
      onSubmit={() => void send()}
      foot={
        <>
          <Button disabled={isRunning} onClick={() => setAtPrompts(false)}>
            Back
          </Button>
          <Button kind="primary" type="submit" disabled={isRunning}>
            {isRunning ? "Creating …" : createText(prompts.length)}
          </Button>
        </>
      }
    >
      <PasteField {...paste} />
      <Suggestions
        label="Compared in these prompts. Add as competitors:"
        names={rivals}
        onTake={addRival}
      />
      <Refused error={failure instanceof SessionError ? worded(failure) : failure} />
    </Step>
  );
}

const noTexts: readonly string[] = [];
const promptsText =
  "Prompts are the questions that assistants are asked. Those without your brand’s name say most " +
  "about its reach.";

const createText = (count: number): string =>
  count === 0
    ? "Create without prompts"
    : `Create with ${count === 1 ? "1 prompt" : `${count} prompts`}`;

/** The service names a fault's field by its place in the file. */
function worded({ message }: SessionError): Error {
  return new Error(message.replaceAll(/(^|\s)\/(?:[\w/]*\/)?([a-z]+)(?:\/\d+)?: /gi, "$1$2 "));
}

/** Competitors as they are typed; "Globex Inc." is Globex too, and the form shows it. */
const competitorsOf = ({ competitors, name }: TypedBrand) =>
  typedCompetitors(competitors, name).map((each) => {
    return {
      name: each.name,
      aliases: [...suggestedAliases(each.name, [], [])],
      domains: [...each.domains],
    };
  });

/** The workspace file of what is typed. */
function fileOf(brand: TypedBrand, prompts: readonly PastedPrompt[]): WorkspaceFile {
  const names = new Map<string, string>();
  for (const { topic } of prompts) {
    if (topic !== null && !names.has(topic.toLowerCase())) names.set(topic.toLowerCase(), topic);
  }
  const name = brand.name.trim();
  const spelled = spellerOf([]);
  return {
    account: { name },
    brand: { name, aliases: [...brand.aliases], domains: [...brand.domains] },
    competitors: competitorsOf(brand),
    topics: [...names.values()],
    prompts: prompts.map(({ text, topic, tags: given = [] }) => {
      const known = topic === null ? undefined : names.get(topic.toLowerCase());
      const tags = [...spelled(given)];
      return {
        text,
        ...(known === undefined ? {} : { topic: known }),
        ...(tags.length === 0 ? {} : { tags }),
      };
    }),
  };
}

interface BrandStepProps {
  readonly brand: TypedBrand;
  readonly onChange: (brand: TypedBrand) => void;
  readonly onNext: () => void;
  readonly onBack: (() => void) | null;
}

function BrandStep({ brand, onChange, onNext, onBack }: BrandStepProps) {
  const { name, domains, aliases, competitors } = brand;
  const change = (part: Partial<TypedBrand>) => onChange({ ...brand, ...part });
  const found = competitorsOf(brand);
  return (
    <Step
      at={1}
      title="Name your brand"
      text="Answers are searched for these names and domains. All of it can be changed later."
      onSubmit={onNext}
      foot={
        <>
          {onBack === null ? null : <Button onClick={onBack}>Cancel</Button>}
          <Button kind="primary" type="submit" disabled={name.trim() === ""}>
            Next
          </Button>
        </>
      }
    >
      <Field label="Brand" hint="As people write it in a sentence.">
        {(field) => (
          <input
            {...field}
            className={inputClass}
            maxLength={500}
            placeholder="Acme"
            autoComplete="organization"
            // biome-ignore lint/a11y/noAutofocus: the page's first field
            autoFocus
            value={name}
            onChange={({ target }) => change({ name: target.value })}
          />
        )}
      </Field>
      <DomainField
        hint="Links to them, and to their subdomains, are citations of the brand."
        placeholder="acme.com"
        values={domains}
        onChange={(given) => change({ domains: given })}
      />
      <TagField
        label="Other names"
        hint="Short forms, product names, usual misspellings. Press Enter to add one."
        placeholder="Acme Labs"
        values={aliases.map((each) => ({ name: each, caseSensitive: false }))}
        onChange={(values) => change({ aliases: values.map((each) => each.name) })}
      />
      <Suggestions
        label="Also written like this? Add it:"
        names={suggestedAliases(name, domains, aliases)}
        onTake={(each) => change({ aliases: [...aliases, each] })}
      />
      <Field
        label="Competitors"
        hint={
          found.length === 0
            ? "Names or domains, one per line. Three to eight are a good start."
            : found
                .map((each) => [each.name, ...each.aliases, ...each.domains].join(" · "))
                .join(", ")
        }
      >
        {(field) => (
          <textarea
            {...field}
            className={inputClass}
            rows={3}
            placeholder={"Globex\ninitech.com"}
            value={competitors}
            onChange={({ target }) => change({ competitors: target.value })}
          />
        )}
      </Field>
    </Step>
  );
}

interface SuggestionsProps {
  readonly label: string;
  readonly names: readonly string[];
  readonly onTake: (name: string) => void;
}

/** The most names that are suggested at a time. */
const suggestionsMax = 6;

function Suggestions({ label, names, onTake }: SuggestionsProps) {
  if (names.length === 0) return null;
  return (
    <div className={css["suggestions"]}>
      <span>{label}</span>
      {names.slice(0, suggestionsMax).map((name) => (
        <Button key={name} icon="plus" onClick={() => onTake(name)}>
          {name}
        </Button>
      ))}
    </div>
  );
}

interface KeyStepProps {
  readonly session: NewSession;
  readonly onDone: () => void;
}

function KeyStep({ session, onDone }: KeyStepProps) {
  return (
    <Step
      at={3}
      title="Keep your key"
      text={
        `You are signed in to ${session.account.name ?? "the account"}. This key signs you in ` +
        "on other browsers, and here when the session has ended, after seven days at most. It is " +
        "shown only once and may do everything: keep it as you keep passwords."
      }
      onSubmit={onDone}
      foot={
        <Button kind="primary" type="submit">
          I have kept it
        </Button>
      }
    >
      <div className={css["secret"]}>
        <code data-secret>{session.key}</code>
        <Button icon="copy" onClick={() => void copyText(session.key)}>
          Copy
        </Button>
      </div>
      <p>
        Next: answers. Import a file, have the providers asked, or look around with sample answers.
      </p>
    </Step>
  );
}

interface StepProps {
  readonly at: 1 | 2 | 3;
  readonly title: string;
  readonly text: string;
  readonly onSubmit: () => void;
  readonly foot: ReactNode;
  readonly children: ReactNode;
}

function Step({ at, title, text, onSubmit, foot, children }: StepProps) {
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} – Sightline`;
    // The last step has no field; the focus must not stay on a button that is gone.
    if (at === 3) head.current?.focus();
  }, [title, at]);
  return (
    <form
      className={css["step"]}
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <p className="quiet">Step {at} of 3</p>
      <h1 ref={head} tabIndex={-1}>
        {title}
      </h1>
      <p className={css["text"]}>{text}</p>
      {children}
      <div className={css["foot"]}>{foot}</div>
    </form>
  );
}
