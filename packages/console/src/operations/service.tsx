import { Sightline } from "@sightline/client";
import type { ReactNode } from "react";
import { countOf, countText, dateText, percentText } from "../data/format.ts";
import { useManaged } from "../data/managed.ts";
import { daysSince } from "../data/period.ts";
import { type Reply, useWorkspace } from "../data/queries.ts";
import { Panel } from "../parts/panel.tsx";
import { Tag, type TagKind } from "../parts/tag.tsx";
import css from "./service.module.css";

/** What is left of the limits, how the service is, and how new the answers are. */
export function Service() {
  const limits = useLimits();
  const health = useHealth();
  const workspace = useWorkspace();
  return (
    <>
      <Panel title="Usage of this session's key" query={limits} minHeight={80}>
        {({ rate, day }) => (
          <>
            <dl className={css["facts"]}>
              <Fact title="Calls today (UTC)">
                {day === null ? "without a limit" : <Used limit={day} />}
              </Fact>
              <Fact title="Calls in a burst">
                {rate === null ? "without a limit" : rateText(rate)}
              </Fact>
            </dl>
            <p className={css["note"]}>
              The service reports what is left of the key of each call, here of this browser's key.
              What other keys have used today is listed at <em>API keys</em>.
            </p>
          </>
        )}
      </Panel>
      <Panel title="Health" query={health} minHeight={80}>
        {(state) => (
          <dl className={css["facts"]}>
            <Fact title="Service">
              <HealthTag {...state} />
              {state.why === null ? null : ` ${state.why}`}
            </Fact>
            <Fact title="This account">
              {state.isFailing ? (
                <>
                  <Tag kind="worse">failing</Tag> New answers do not count until the operator fixes
                  it.
                </>
              ) : (
                <Tag kind="better">answers are counted</Tag>
              )}
            </Fact>
            <Fact title="Reply took">{`${countText(Math.round(state.tookMs))} ms`}</Fact>
          </dl>
        )}
      </Panel>
      <Panel title="Freshness" query={workspace} minHeight={80}>
        {({ answers, lastImport }) => (
          <dl className={css["facts"]}>
            <Fact title="Answers that count">{countOf(answers.count, "answer")}</Fact>
            <Fact title="First answer">{instant(answers.first)}</Fact>
            <Fact title="Newest answer">
              {instant(answers.last)} {answers.last === null ? null : <Age at={answers.last} />}
            </Fact>
            <Fact title="Last import">
              {instant(lastImport)} {lastImport === null ? null : <Age at={lastImport} />}
            </Fact>
          </dl>
        )}
      </Panel>
    </>
  );
}

function Fact({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Used({ limit: { allowed, left, restoredInSeconds } }: { readonly limit: LimitState }) {
  const used = allowed - left;
  return (
    <span className={css["used"]}>
      <meter aria-label="Share of the day's calls" min={0} max={allowed} value={used} />
      <span>
        {countText(used)} of {countText(allowed)} ({percentText(used / allowed)}); a new day begins
        in {hoursText(restoredInSeconds)}
      </span>
    </span>
  );
}

function rateText({ allowed, windowSeconds }: LimitState): string {
  return `${countText(allowed)} within ${countOf(windowSeconds, "second")}`;
}

function hoursText(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return countOf(minutes, "minute");
  return `${countOf(Math.floor(minutes / 60), "hour")} ${minutes % 60} min`;
}

function HealthTag({ isReady }: Health) {
  const [kind, text]: readonly [TagKind, string] = isReady
    ? ["better", "ready"]
    : ["doubt", "not ready"];
  return <Tag kind={kind}>{text}</Tag>;
}

const instant = (at: string | null): string => (at === null ? "none" : dateText(at, "instant"));

function Age({ at }: { readonly at: string }) {
  const days = daysSince(at, Date.now());
  if (days < 1) return <Tag kind="better">today</Tag>;
  return <Tag kind={days > 14 ? "doubt" : "plain"}>{countOf(days, "day")} ago</Tag>;
}

/** A limit of the session's key, as the header fields of a reply say it. */
interface LimitState {
  /** Calls that are allowed in the window. */
  readonly allowed: number;
  readonly windowSeconds: number;
  readonly left: number;
  /** Until it is whole again. */
  readonly restoredInSeconds: number;
}

/** The limits of the session's key; one that is off is null. */
interface LimitStates {
  readonly rate: LimitState | null;
  readonly day: LimitState | null;
}

/** What is left of the limits, as the reply to a call of its own says. */
function useLimits(): Reply<LimitStates> {
  return useManaged({
    name: "limits",
    ask: async ({ id }, signal) => {
      let fields = new Headers();
      const watched = new Sightline({
        baseUrl: `/console/accounts/${encodeURIComponent(id)}`,
        session: "cookie",
        fetch: async (url, init) => {
          const reply = await fetch(url, init);
          fields = reply.headers;
          return reply;
        },
      });
      await watched.workspace({ signal });
      return { rate: limitOf(fields, "rate"), day: limitOf(fields, "day") };
    },
  });
}

/** `"rate";q=40;w=2, "day";q=100000;w=86400` and `"rate";r=39;t=1, …`. */
function limitOf(fields: Headers, name: string): LimitState | null {
  const numbers = (field: string): Readonly<Record<string, number>> => {
    const items = (fields.get(field) ?? "").split(",");
    const item = items.find((each) => each.trim().startsWith(`"${name}"`)) ?? "";
    return Object.fromEntries(
      [...item.matchAll(/;(\w)=(\d+)/g)].map(([, letter, digits]) => [letter, Number(digits)]),
    );
  };
  const { q, w } = numbers("RateLimit-Policy");
  const { r, t } = numbers("RateLimit");
  if (q === undefined || w === undefined || r === undefined || t === undefined) return null;
  return { allowed: q, windowSeconds: w, left: r, restoredInSeconds: t };
}

/** Whether the service is ready. */
interface Health {
  readonly isReady: boolean;
  /** Why it is not, in its own words; null: it is. */
  readonly why: string | null;
  /** The account's facts cannot be built now. */
  readonly isFailing: boolean;
  /** In ms, of the reply. */
  readonly tookMs: number;
}

/** What the service says of its health. */
function useHealth(): Reply<Health> {
  return useManaged({
    name: "health",
    ask: async ({ id }, signal) => {
      const beganMs = performance.now();
      const reply = await fetch("/readyz", { signal });
      const said = (await reply.json().catch(() => ({}))) as ReadyReply;
      return {
        isReady: reply.ok,
        why: reply.ok ? null : (said.detail ?? `It replied with ${reply.status}.`),
        isFailing: JSON.stringify(said.degraded ?? []).includes(id),
        tookMs: performance.now() - beganMs,
      };
    },
  });
}

interface ReadyReply {
  readonly detail?: string;
  readonly degraded?: readonly unknown[];
}
