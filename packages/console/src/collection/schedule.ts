/** When prompts are asked by themselves, as far as a form can say it. */
export type Schedule =
  | { readonly kind: "none" }
  | {
      readonly kind: "weekly";
      /** 0 is Sunday, as in cron; in order; all seven: every day. */
      readonly days: readonly number[];
      /** HH:MM. */
      readonly time: string;
    }
  /** More than a time and days: only the file can say it. */
  | { readonly kind: "file"; readonly cron: string };

/** Every day, as cron has them. */
export const everyDay: readonly number[] = [0, 1, 2, 3, 4, 5, 6];

const dayNames = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

/** The schedule of a cron line; undefined: there is none. */
export function scheduleOf(cron: string | undefined): Schedule {
  if (cron === undefined) return { kind: "none" };
  const found = /^(\d{1,2})\s+(\d{1,2})\s+\*\s+\*\s+(\S+)$/.exec(cron.trim());
  const [, minute = "", hour = "", days = ""] = found ?? [];
  const asked = found === null ? null : daysOf(days);
  if (asked === null || Number(minute) > 59 || Number(hour) > 23) return { kind: "file", cron };
  return {
    kind: "weekly",
    days: asked,
    time: `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`,
  };
}

/** The days of a list such as `1-5` or `MON,THU`; null: it is another kind of list. */
function daysOf(text: string): readonly number[] | null {
  if (text === "*") return everyDay;
  const found = new Set<number>();
  for (const part of text.toUpperCase().split(",")) {
    const [first, last = first, ...others] = part.split("-").map(dayOf);
    if (first == null || last == null || others.length > 0 || last < first) return null;
    for (let day = first; day <= last; day++) found.add(day % 7);
  }
  return everyDay.filter((day) => found.has(day));
}

/** 7 is Sunday, too. */
function dayOf(text: string): number | null {
  const named = dayNames.indexOf(text);
  if (named >= 0) return named;
  return /^[0-7]$/.test(text) ? Number(text) : null;
}

/** The cron line of a schedule; undefined: none. A schedule without a day is none. */
export function cronOf(schedule: Schedule): string | undefined {
  if (schedule.kind === "file") return schedule.cron;
  if (schedule.kind === "none" || schedule.days.length === 0) return undefined;
  const [hour, minute] = schedule.time.split(":").map(Number);
  const days = schedule.days.length === 7 ? "*" : schedule.days.join(",");
  return `${minute ?? 0} ${hour ?? 0} * * ${days}`;
}

/** How often it comes in a month of 30 days; null: not known here. */
export function timesAMonth(schedule: Schedule): number | null {
  if (schedule.kind === "file") return null;
  return schedule.kind === "none" ? 0 : (schedule.days.length * 30) / 7;
}

const pluralNames = [
  "Sundays",
  "Mondays",
  "Tuesdays",
  "Wednesdays",
  "Thursdays",
  "Fridays",
  "Saturdays",
];

/** A schedule in words, such as "Every day at 06:00". */
export function scheduleText(schedule: Schedule): string {
  if (schedule.kind === "none") return "Only when asked to";
  if (schedule.kind === "file") return `By the file: ${schedule.cron}`;
  const { days, time } = schedule;
  if (days.length === 7) return `Every day at ${time}`;
  // Monday first.
  const inWeek = days.toSorted((one, other) => ((one + 6) % 7) - ((other + 6) % 7));
  return `On ${inWeek.map((day) => pluralNames[day]).join(", ")} at ${time}`;
}
