import {
  durationMs,
  type FieldError,
  type LinkKind,
  type LinkRequest,
  linkViewCharactersMax,
  pagesOfKind,
} from "@sightline/contract";

/** What is requested of a new link; `expiresAt` in milliseconds since 1970, null: never. */
export type LinkProperties = Omit<LinkRequest, "expiresIn"> & {
  readonly expiresAt: number | null;
};

/** The refusal of one link more than an account may have. */
export const manyLinks = "The account has as many valid links as it may have. Revoke one first.";

/** The last millisecond of the year 9999: later instants are not date-times. */
const lastMs = 253_402_300_799_999;

/** What is wrong with a request in addition to what its schema says; empty: nothing. */
export function linkFaults(request: LinkRequest, now: number): readonly FieldError[] {
  const { kind, view, password, showsEvidence = false } = request;
  const { expiresAt } = linkProperties(request, now);
  const characters = JSON.stringify(view).length;
  const isView = kind === "view";
  const faults: readonly (FieldError | false)[] = [
    !pagesOfKind[kind].includes(view.page) && {
      path: "/view/page",
      code: "not_allowed",
      message: `must be ${pagesOfKind[kind].join(" or ")} for the kind ${kind}, got ${view.page}.`,
    },
    characters > linkViewCharactersMax && {
      path: "/view",
      code: "too_large",
      message: `must have at most ${linkViewCharactersMax} characters as JSON, got ${characters}.`,
    },
    !isView && password !== undefined && ofPagesAlone("/password", "no password: nobody types one"),
    !isView && showsEvidence && ofPagesAlone("/showsEvidence", "no texts of answers"),
    expiresAt !== null &&
      expiresAt > lastMs && {
        path: "/expiresIn",
        code: "too_large",
        message: "must end by the year 9999.",
      },
  ];
  return faults.filter((fault) => fault !== false);
}

function ofPagesAlone(path: string, has: string): FieldError {
  const message = `A table and a picture have ${has}. Leave it out, or use the kind view.`;
  return { path, code: "not_allowed", message };
}

/** What a request without faults asks for. */
export function linkProperties(
  { expiresIn = null, ...request }: LinkRequest,
  now: number,
): LinkProperties {
  return { ...request, expiresAt: expiresIn === null ? null : now + (durationMs(expiresIn) ?? 0) };
}

/** Where a link of this kind leads, below the service's own address. */
export function linkPath(kind: LinkKind, token: string): string {
  const rest = { view: "", csv: "/csv", image: "/image.svg" }[kind];
  return `/share/${token}${rest}`;
}
