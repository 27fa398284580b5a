import type { VendorQuestion } from "../adapter.ts";

/** A country as Google and its page vendors name it. */
interface GoogleRegion {
  /** DataForSEO's location: Google's id of the country, which is 2000 + its ISO 3166-1 number. */
  readonly locationCode: number;
  /** The language of its page: the one in which most people there search. */
  readonly language: string;
}

// ISO 3166-1 alpha-2, its number, and the language, as DataForSEO lists them.
const countries = `
  AE 784 ar, AL 008 sq, AO 024 pt, AR 032 es, AT 040 de, AU 036 en, BA 070 bs, BD 050 bn,
  BE 056 nl, BG 100 bg, BH 048 ar, BO 068 es, BR 076 pt, CA 124 en, CH 756 de, CI 384 fr,
  CL 152 es, CM 120 fr, CO 170 es, CR 188 es, CY 196 el, CZ 203 cs, DE 276 de, DK 208 da,
  DO 214 es, DZ 012 fr, EC 218 es, EE 233 et, EG 818 ar, ES 724 es, FI 246 fi, FR 250 fr,
  GB 826 en, GH 288 en, GR 300 el, GT 320 es, HK 344 zh-TW, HN 340 es, HR 191 hr, HU 348 hu,
  ID 360 id, IE 372 en, IL 376 he, IN 356 en, IQ 368 ar, IT 380 it, JM 388 en, JO 400 ar,
  JP 392 ja, KE 404 en, KR 410 ko, KW 414 ar, LB 422 ar, LK 144 en, LT 440 lt, LU 442 fr,
  LV 428 lv, MA 504 fr, MK 807 mk, MT 470 en, MX 484 es, MY 458 en, NG 566 en, NI 558 es,
  NL 528 nl, NO 578 nb, NZ 554 en, OM 512 ar, PA 591 es, PE 604 es, PH 608 en, PK 586 en,
  PL 616 pl, PR 630 es, PT 620 pt, PY 600 es, QA 634 ar, RO 642 ro, RS 688 sr, SA 682 ar,
  SE 752 sv, SG 702 en, SI 705 sl, SK 703 sk, SN 686 fr, SV 222 es, TH 764 th, TN 788 ar,
  TR 792 tr, TT 780 en, TW 158 zh-TW, TZ 834 en, UA 804 uk, UG 800 en, US 840 en, UY 858 es,
  VE 862 es, VN 704 vi, ZA 710 en, ZM 894 en, ZW 716 en`;

const regions: ReadonlyMap<string, GoogleRegion> = new Map(
  countries
    .trim()
    .split(/,\s+/)
    .map((country) => {
      const [code = "", number, language = "en"] = country.split(" ");
      return [code, { locationCode: 2_000 + Number(number), language }];
    }),
);

/** The default country: every page is of a country. */
export const regionUnlessSaid = "US";

/** The country of a question; null: the code is unknown. */
export function googleRegion(region: string | null): GoogleRegion | null {
  return regions.get(region ?? regionUnlessSaid) ?? null;
}

/** Why a vendor refuses a region, for people; null: it does not. */
export function regionRefusal(region: string | null, vendor: string): string | null {
  if (googleRegion(region) !== null) return null;
  return `${vendor} is not asked for the region ${region}: its code is not known here`;
}

/** A place as OpenAI, Anthropic and Perplexity accept it; they call a state `region`. */
interface UserLocation {
  readonly country?: string;
  readonly region?: string;
  readonly city?: string;
}

/** The place of a question, without unknown fields; null: it has none. */
export function userLocationOf({ region, state, city }: VendorQuestion): UserLocation | null {
  const location = {
    ...(region === null ? {} : { country: region }),
    ...(state == null ? {} : { region: state }),
    ...(city == null ? {} : { city }),
  };
  return Object.keys(location).length === 0 ? null : location;
}
