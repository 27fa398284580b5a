import { dayMs } from "@sightline/contract";
import { accountTagsOf, brandsOf } from "../accounts/account-store.ts";
import { failedSweepsOf } from "../collection/store/sweep-reads.ts";
import { questionSignal } from "../http/in-flight-calls.ts";
import { type ConsoleOperation, jsonReply } from "../http/operation.ts";
import { orProblem } from "../http/or-problem.ts";
import type { ConsoleRequest } from "../keys/console/signed-in-people.ts";
import { notSignedIn } from "../people/console-routes.ts";
import type { PeopleServices } from "../people/people-services.ts";
import type { PersonAccount } from "../people/person-store.ts";
import type { AskingServices } from "../questions/inner-asking.ts";
import { type AccountRow, accountRow, type KnownAccount, type RowDays } from "./account-row.ts";

/** What the page of accounts is made with. */
export type PortfolioServices = PeopleServices & AskingServices;

/** The most accounts of one page. */
const accountsMax = 500;
/** So many accounts are asked at a time: the engine has its own line, and others ask too. */
const atOnce = 8;
/** The days that are shown, and as many before them that they are compared with. */
const days = 28;

/** What the page of accounts gets. */
interface Portfolio {
  /** By name. */
  readonly accounts: readonly AccountRow[];
  /** Accounts of the person beyond the first 500. */
  readonly leftOut: number;
  /** The first and the last UTC day of the values. */
  readonly from: string;
  readonly to: string;
}

/** GET /console/person/board: all accounts of the person who is signed in, at a glance. */
const boardRoute: ConsoleOperation<PortfolioServices> = {
  kind: "console",
  method: "GET",
  path: "/console/person/board",
  hasBody: false,
  reply: async (services, { request, endedUnless }) => {
    const { members, signedInPeople, limits, clock, config } = services;
    const signedIn = await signedInPeople.personOf(request);
    if (signedIn === null) throw notSignedIn("Sign in under your own name to see your accounts.");
    const personId = signedIn.person.id;
    const headers = await limits.take(callerOf(personId));
    const all = await members.accountsOf(personId);
    const range = rowDays(clock.now());
    const known = await knownAccounts(services, all.slice(0, accountsMax), range);
    const ended = endedUnless(() => maySee(services, request, { personId, accounts: known }));
    const { signal, done } = questionSignal(ended, config.questionSeconds);
    try {
      const ask = (each: KnownAccount) => accountRow(services, each, { days: range, signal });
      const accounts = await orProblem(inTurn(known, ask), refused);
      const reply: Portfolio = {
        accounts,
        leftOut: all.length - known.length,
        from: dayOf(range.fromMs),
        to: dayOf(range.toMs - dayMs),
      };
      return { ...jsonReply(reply), headers };
    } finally {
      done();
    }
  },
};

const refused = { failed: "The accounts could not be asked.", advice: "Nothing was changed." };

interface Seen {
  readonly personId: string;
  readonly accounts: readonly Pick<PersonAccount, "id">[];
}

/** Whether a request is still one of a person who belongs to all of these accounts. */
async function maySee(
  { members, signedInPeople }: PortfolioServices,
  request: ConsoleRequest,
  { personId, accounts }: Seen,
): Promise<boolean> {
  const signedIn = await signedInPeople.personOf(request);
  if (signedIn?.person.id !== personId) return false;
  const ids = new Set((await members.accountsOf(personId)).map(({ id }) => id));
  return accounts.every(({ id }) => ids.has(id));
}

/** A page counts as one call of the person, however many accounts it shows. */
function callerOf(personId: string) {
  const limits = { ratePerSecond: null, dailyQuota: "off" } as const;
  return { id: personId, name: "", accountId: "", scopes: [], ...limits };
}

/** Today is inside: what was answered since midnight is shown. */
function rowDays(now: number): RowDays {
  const toMs = (Math.floor(now / dayMs) + 1) * dayMs;
  const fromMs = toMs - days * dayMs;
  return { beforeMs: fromMs - days * dayMs, fromMs, toMs };
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

async function knownAccounts(
  { control }: Pick<PortfolioServices, "control">,
  accounts: readonly PersonAccount[],
  { fromMs }: RowDays,
): Promise<readonly KnownAccount[]> {
  const ids = accounts.map(({ id }) => id);
  const brands = await brandsOf(control, ids);
  const tags = await accountTagsOf(control, ids);
  const failed = await failedSweepsOf(control, ids, fromMs);
  return accounts.map((account) => ({
    ...account,
    tags: tags.get(account.id) ?? [],
    brand: brands.get(account.id) ?? null,
    failedSweeps: failed.get(account.id) ?? 0,
  }));
}

/** Does work for all items, a few at a time. @returns the results in the order of the items. */
async function inTurn<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async () => {
    for (let place = next++; place < items.length; place = next++) {
      results[place] = await work(items[place] as Item);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

/** The operations on all accounts of a person. */
export const portfolioOperations: readonly ConsoleOperation<PortfolioServices>[] = [boardRoute];
