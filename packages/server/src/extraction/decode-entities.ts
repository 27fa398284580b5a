import { edited, type TextEdit } from "./text-edits.ts";

/** The names of U+00A0 to U+00FF, in order. */
const latin = `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr
  deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest
  Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute
  Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml
  Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml
  igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave
  uacute ucirc uuml yacute thorn yuml`;

/** The names of U+0391 to U+03A9 and U+03B1 to U+03C9, in order; U+03A2 is not assigned. */
const greekCapitals = `Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi
  Omicron Pi Rho - Sigma Tau Upsilon Phi Chi Psi Omega`;
const greekSmall = `alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi
  omicron pi rho sigmaf sigma tau upsilon phi chi psi omega`;

/** Names, each followed by its character. */
const others = `amp & lt < gt > quot " apos ' OElig Œ oelig œ Scaron Š scaron š Yuml Ÿ Zcaron Ž
  zcaron ž fnof ƒ ndash – mdash — lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „
  lsaquo ‹ rsaquo › bull • hellip … prime ′ Prime ″ trade ™ euro € larr ← uarr ↑
  rarr → darr ↓ minus − hyphen ‐ dash ‐ excl ! num # dollar $ percnt % lpar ( rpar )
  ast * plus + comma , period . sol / bsol \\ colon : semi ; equals = quest ? commat
  @ lsqb [ rsqb ] lowbar _ grave \` lcub { rcub } verbar | star ☆ starf ★ check ✓
  Ccaron Č ccaron č Lstrok Ł lstrok ł cacute ć Cacute Ć sacute ś Sacute Ś zacute ź
  Zacute Ź nacute ń Nacute Ń aogon ą Aogon Ą eogon ę Eogon Ę zdot ż Zdot Ż rcaron ř
  Rcaron Ř ecaron ě Ecaron Ě gbreve ğ Gbreve Ğ scedil ş Scedil Ş imath ı inodot ı
  Idot İ`;

const spaces = {
  ensp: " ",
  emsp: " ",
  thinsp: " ",
  hairsp: " ",
  numsp: " ",
  Tab: "\t",
  NewLine: "\n",
};
const invisible = { zwnj: "", zwj: "", lrm: "", rlm: "", ZeroWidthSpace: "", NoBreak: "" };

const named: ReadonlyMap<string, string> = new Map([
  ...inOrder(latin, 0xa0),
  ...inOrder(greekCapitals, 0x391),
  ...inOrder(greekSmall, 0x3b1),
  ...inPairs(others),
  ...Object.entries(spaces),
  ...Object.entries(invisible),
]);

/** The characters that browsers show for the numbers 128 to 159: Windows-1252. */
const windows = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

const entity = /&(?:#([0-9]{1,7}|[xX][0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,13}));/g;

/**
 * Decodes HTML's entities once: those of HTML 4 except mathematical signs, common ones of HTML 5,
 * and numbers as browsers read them. Others stay, as do those without a semicolon.
 */
export function decodeEntities(text: string): string {
  return edited(text, entityEdits(text));
}

/** The edits by which `decodeEntities` decodes a text. */
export function entityEdits(text: string): readonly TextEdit[] {
  if (!text.includes("&")) return [];
  return Array.from(text.matchAll(entity), (found) => {
    const start = found.index;
    return { start, end: start + found[0].length, replacement: decoded(found) };
  });
}

function decoded([whole, number, name = ""]: RegExpExecArray): string {
  if (number === undefined) return named.get(name) ?? whole;
  const isHexadecimal = /^x/i.test(number);
  return characterOf(Number.parseInt(number.replace(/^x/i, ""), isHexadecimal ? 16 : 10));
}

function characterOf(code: number): string {
  if (code >= 0x80 && code < 0xa0) return windows.charAt(code - 0x80);
  const isScalar = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isScalar ? String.fromCodePoint(code) : "\ufffd";
}

function inOrder(names: string, first: number): [string, string][] {
  return names.split(/\s+/).map((name, index) => [name, String.fromCodePoint(first + index)]);
}

function inPairs(list: string): [string, string][] {
  const items = list.split(/\s+/);
  return items.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, items[index + 1] ?? ""]] : [],
  );
}
