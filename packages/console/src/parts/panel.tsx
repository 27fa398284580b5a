import { ApiError } from "@sightline/client";
import type { ReactNode } from "react";
import { faultText } from "../data/fault-text.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import css from "./panel.module.css";
import { Worded } from "./worded.tsx";

/** The part of a query that a panel shows the state of. */
export interface PanelQuery<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  readonly isPlaceholderData: boolean;
  readonly refetch: () => unknown;
}

/** What a panel says in place of data. */
export interface Empty {
  readonly title: string;
  readonly text: string;
  /** What to do about it. */
  readonly actions?: ReactNode;
}

interface PanelProps<T> {
  readonly title: ReactNode;
  /** To the right of the title. */
  readonly tools?: ReactNode;
  readonly query: PanelQuery<T>;
  /** Why there is nothing to show; null: there is something. */
  readonly emptyOf?: (data: T) => Empty | null;
  /** What is missing of the data, in words; null: nothing is. */
  readonly partialOf?: (data: T) => ReactNode | null;
  /** What is still shown while the next reply is on its way, in words. */
  readonly staleOf?: (data: T) => string;
  readonly children: (data: T) => ReactNode;
  /** In px: what the panel takes before its data is there, so that nothing moves. */
  readonly minHeight?: number;
  /** Without space around the content, such as a table. */
  readonly flush?: boolean;
  readonly className?: string | undefined;
}

/** A part of a page with its four states: loading, empty, error, and data, whole or partial. */
export function Panel<T>(props: PanelProps<T>) {
  const { title, tools, query, emptyOf, partialOf, children, minHeight, flush = false } = props;
  const { data, error, isPlaceholderData } = query;
  const empty = data === undefined ? null : (emptyOf?.(data) ?? null);
  const partial = data === undefined || empty !== null ? null : (partialOf?.(data) ?? null);
  const isBusy = error === null && (data === undefined || isPlaceholderData);
  const bodyClass = [css["body"], flush && empty === null && data ? css["flush"] : ""];
  if (isPlaceholderData) bodyClass.push(css["stale"]);
  return (
    <section className={`${css["panel"]} ${props.className ?? ""}`} aria-busy={isBusy}>
      <header className={css["head"]}>
        <h2 className={css["title"]}>{title}</h2>
        {isBusy && data !== undefined ? (
          <span className={css["late"]}>
            {props.staleOf?.(data) ?? "Loading; showing the previous values"}
          </span>
        ) : null}
        {tools}
      </header>
      {partial === null ? null : (
        <p className={css["partial"]}>
          <Icon name="warn" />
          <span>{partial}</span>
        </p>
      )}
      <div className={bodyClass.join(" ")} style={{ minHeight }}>
        {error !== null && (data === undefined || isPlaceholderData) ? (
          <Failure error={error} retry={query.refetch} />
        ) : data === undefined ? (
          <Bones />
        ) : empty !== null ? (
          <Nothing {...empty} />
        ) : (
          children(data)
        )}
      </div>
    </section>
  );
}

/** An empty state: which nothing it is, and what to do. */
export function Nothing({ title, text, actions }: Empty) {
  return (
    <div className={css["state"]}>
      <strong>{title}</strong>
      <p>{text}</p>
      {actions === undefined ? null : <div className={css["actions"]}>{actions}</div>}
    </div>
  );
}

/** What went wrong, in the service's words, with the request's id and a way to try again. */
export function Failure({
  error,
  retry,
}: {
  readonly error: Error;
  readonly retry: () => unknown;
}) {
  const refusal = error instanceof ApiError ? error : null;
  return (
    <div className={css["state"]} role="alert">
      <strong>{refusal === null ? "This could not be loaded" : titleOf(refusal)}</strong>
      <p>
        <Worded text={faultText(error)} />
      </p>
      {refusal?.requestId == null ? null : (
        <p className={css["request"]}>Request {refusal.requestId}</p>
      )}
      <div className={css["actions"]}>
        <Button onClick={() => retry()}>Try again</Button>
      </div>
    </div>
  );
}

/** What went wrong with the rest of a list, of which a part is there, and a way to try again. */
export function Interrupted({
  error,
  retry,
}: {
  readonly error: Error;
  readonly retry: () => unknown;
}) {
  return (
    <>
      <span role="alert">Some are missing: {faultText(error)}</span>
      <Button onClick={() => retry()}>Try again</Button>
    </>
  );
}

function titleOf({ status }: ApiError): string {
  if (status === 400) return "The service refused this view";
  if (status === 403) return "The session may not do this";
  if (status === 429) return "Too many calls";
  return "This could not be loaded";
}

function Bones() {
  return (
    <div className={css["bones"]}>
      <span className="visually-hidden">Loading</span>
      {["a", "b", "c", "d", "e"].map((each) => (
        <div key={each} className={css["bone"]} />
      ))}
    </div>
  );
}
