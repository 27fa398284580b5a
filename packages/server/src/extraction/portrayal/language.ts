import { unitsOfWords, Vocabulary } from "./vocabulary.ts";
import { Tokens } from "./words.ts";

/**
 * Frequent words of languages: those that have a cue table, and their neighbours, which must not be
 * taken for them.
 */
const frequentWords: Readonly<Record<string, string>> = {
  en: `the and is are of to in that it for with as on this be by or from at an which you your can
    has have not but its more most than if they their was will would i my we when what who how
    these those there also other into over about any no do does`,
  de: `der die das und ist sind den dem des ein eine einen einem einer nicht mit für auf von zu
    im auch sich als es an bei aus nach wie oder aber wenn wird werden hat haben sie er wir
    ich kann man nur noch mehr sehr zum zur über dass durch beim vom ihre jede jedem jeder
    jeden alle viele wir beide diese dieser dieses schon dann doch kein keine keinen ohne
    unter war wurde mir uns ihnen sollte sollten etwas meine mein zwischen`,
  fr: `le la les et est sont des du un une pas pour dans que qui sur avec plus par ce cette ces
    au aux ou mais en se sa son ses il elle ils elles vous nous votre vos si je très ne être
    peut leur c'est l d qu n`,
  es: `el la los las y es son de del un una no para en que con por se su sus al más pero como lo
    si o muy este esta estos ha han ser puede yo también le les hay mi tu cuando sin sobre
    entre`,
  pt: `o a os as e é são de do da dos das um uma não para em que com por se seu sua no na nos nas
    mais mas como ou muito este esta ser pode também você ao à pelo pela tem uma quando`,
  it: `il lo la i gli le e è sono di del della dei delle un una non per in che con si da su nel
    nella al alla più ma come anche questo questa essere può molto o se tra ha hanno una dal`,
  nl: `de het een en is zijn van voor met niet op te dat die in aan er ook als bij of maar om
    door naar uit wordt worden heeft hebben je u ik wij kan nog meer zeer deze dit wat`,
  sv: `och är en ett att det som för på av med inte den till i om har kan de men eller från så du
    vi jag mycket också när vid mer bra detta`,
  da: `og er en et at det som for på af med ikke den til i om har kan de men eller fra så du vi
    jeg meget også når ved mere dette være bliver der`,
  ca: `el la els les i és són de del un una no per en que amb es seu seva al més però com o molt
    aquest aquesta ser pot també hi ha quan sense`,
  pl: `i w na z do jest są nie to się że o jak dla od po przez ale czy tak oraz lub który która
    jego jej ich być może bardzo tylko`,
};

/** Signs that few languages have: in a text of a few words each counts as a word of a table. */
const ownSigns: Readonly<Record<string, RegExp>> = {
  de: /[äöüß]/g,
  fr: /[àâçèéêëîïôùûœ]/g,
  es: /[ñ¿¡áíóú]/g,
  pt: /[ãõçâêô]/g,
  it: /[àèìòù]/g,
  sv: /[åäö]/g,
  da: /[åæø]/g,
  ca: /[çàèòï·]/g,
  pl: /[ąćęłńśźż]/g,
};

const languages = Object.keys(frequentWords);

/**
 * The first words of most texts say plainly which language they are in; where they do not, the
 * beginning says it; where that does not, this much of the text.
 */
const firstCharacters = 250;
const beginningCharacters = 600;
const charactersMax = 8_000;
/** First words are plain that hold so many frequent words, and so many times those of any other. */
const plainHitsMin = 8;
const plainLeadMin = 2;
/** Of a language's words at least this share is among its frequent ones. */
const shareMin = 0.12;
/** The language has this many times the evidence of any other. */
const leadMin = 1.2;
/** Fewer words say nothing. */
const hitsMin = 2;
/** In a text of so few words those of the cue tables count too, half as much. */
const fewWords = 60;
/** Japanese has at least this share of kana among its letters; Chinese has none. */
const kanaShareMin = 0.15;

const kana = /[\u3041-\u3096\u30a1-\u30fa]/g;
const letters = /\p{L}/gu;

/**
 * Finds the language of a text by its frequent words, Japanese by its script. It says so where it
 * is not sure.
 */
export class LanguageFinder {
  readonly #vocabulary = new Vocabulary();
  /** By the id of a word: the languages of which it is a frequent word, or a table's, as bits. */
  readonly #frequent: number[] = [];
  readonly #tables: number[] = [];
  readonly #tokens = new Tokens(this.#vocabulary);

  /** `tables`: by language, the words of its cue table. */
  constructor(tables: ReadonlyMap<string, Iterable<Uint16Array>>) {
    for (const [index, language] of languages.entries()) {
      const own = (frequentWords[language] ?? "")
        .split(/\s+/)
        .flatMap((word) => unitsOfWords(word));
      for (const units of own) this.#note(this.#frequent, units, index);
      for (const units of tables.get(language) ?? []) this.#note(this.#tables, units, index);
    }
  }

  /**
   * The language of a text, as a BCP 47 primary subtag; null when that is not sure. It may be one
   * that has no cue table.
   */
  languageOf(text: string): string | null {
    const plain = this.#plainLanguageOf(text.slice(0, firstCharacters));
    if (plain !== null) return plain;
    const beginning = this.#languageOf(text.slice(0, beginningCharacters));
    if (beginning !== null || text.length <= beginningCharacters) return beginning;
    return this.#languageOf(text.slice(0, charactersMax));
  }

  #note(bits: number[], units: Uint16Array, index: number): void {
    const id = this.#vocabulary.idOf(units);
    bits[id] = (bits[id] ?? 0) | (1 << index);
  }

  #plainLanguageOf(part: string): string | null {
    if (part.search(kana) !== -1) return null;
    const words = this.#read(part);
    return clearest(this.#counts(this.#frequent), {
      least: Math.max(plainHitsMin, shareMin * words),
      lead: plainLeadMin,
    });
  }

  #languageOf(part: string): string | null {
    const kanas = part.match(kana)?.length ?? 0;
    if (kanas > 1 && kanas >= kanaShareMin * (part.match(letters)?.length ?? 0)) return "ja";
    const words = this.#read(part);
    const frequent = this.#counts(this.#frequent);
    const clear = clearest(frequent, { least: shareMin * words, lead: leadMin });
    if (clear !== null || words > fewWords) return clear;
    const all = this.#counts(this.#tables).map((count, at) => {
      const sign = ownSigns[languages[at] ?? ""];
      const signs = sign === undefined ? 0 : (part.match(sign)?.length ?? 0);
      return count + 2 * (frequent[at] ?? 0) + signs;
    });
    return clearest(all, { least: Math.max(hitsMin + 1, shareMin * words), lead: leadMin });
  }

  /** Reads the words of a part of a text, and returns how many there are. */
  #read(part: string): number {
    const tokens = this.#tokens;
    tokens.begin(part, []);
    tokens.read(0, part.length, []);
    let words = 0;
    for (let at = 0; at < tokens.length; at += 1) if ((tokens.ids[at] ?? 0) >= 0) words += 1;
    return words;
  }

  #counts(languagesOf: readonly number[]): readonly number[] {
    const counts: number[] = new Array(languages.length).fill(0);
    const { ids, length } = this.#tokens;
    for (let at = 0; at < length; at += 1) {
      const id = ids[at] ?? 0;
      let bits = id > 0 ? (languagesOf[id] ?? 0) : 0;
      for (; bits !== 0; bits &= bits - 1) {
        const index = 31 - Math.clz32(bits & -bits);
        counts[index] = (counts[index] ?? 0) + 1;
      }
    }
    return counts;
  }
}

/** The language with the most hits, if they are enough and so many times those of any other. */
function clearest(
  counts: readonly number[],
  { least, lead }: { readonly least: number; readonly lead: number },
): string | null {
  let [best, first, second] = [-1, 0, 0];
  for (const [index, count] of counts.entries()) {
    if (count > first) {
      second = first;
      [best, first] = [index, count];
    } else if (count > second) {
      second = count;
    }
  }
  if (first < hitsMin || first < least || first <= lead * second) return null;
  return languages[best] ?? null;
}
