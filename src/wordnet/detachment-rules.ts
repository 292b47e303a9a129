import type { PartOfSpeech } from "./part-of-speech.ts"

/** An ending, what replaces it in the base form, and how many letters must precede it (default 1). */
export interface DetachmentRule {
  readonly ending: string
  readonly base: string
  readonly stem: number
}

const rule = (ending: string, base: string, stem = 1): DetachmentRule => ({ ending, base, stem })

/** A doubled consonant is single in the base: stopped, running, bigger. */
const undouble = (...endings: string[]): DetachmentRule[] =>
  endings.flatMap((ending) => [..."bdfgklmnprstvz"].map((letter) => rule(letter + letter + ending, letter, 2)))

/**
 * Detachment rules, in the order in which they are tried. A base counts only if it is a lemma. The first rules of each
 * list are Princeton's, morphy(7WN). The rules after the comment are ours, for forms that Princeton keeps in lists that
 * are not shipped.
 */
export const detachmentRules: Record<PartOfSpeech, readonly DetachmentRule[]> = {
  noun: [
    rule("s", ""),
    rule("ses", "s"),
    rule("xes", "x"),
    rule("zes", "z"),
    rule("ches", "ch"),
    rule("shes", "sh"),
    rule("men", "man"),
    rule("ies", "y"),
    // ours
    rule("oes", "o", 2), // potatoes
    rule("ies", "i", 3), // alkalies
    rule("ves", "f", 2), // wolves
    rule("ves", "fe", 2), // wives
    rule("ses", "sis", 3), // crises
    rule("ices", "ix", 3), // matrices
    rule("ices", "ex", 2), // indices
    rule("zzes", "z", 2),
    rule("sses", "s", 3),
    rule("eaux", "eau"), // chateaux
    rule("xes", "xis", 3), // praxes
    rule("ae", "a", 3), // larvae
    rule("ia", "ium", 4), // stadia
    rule("ula", "ulum", 3), // curricula
    rule("i", "us", 3), // cacti
    rule("mata", "ma", 2), // stigmata
    rule("sful", "ful", 3), // cupsful
    rule("mice", "mouse", 2),
    rule("feet", "foot", 2),
    rule("teeth", "tooth", 2),
    rule("children", "child", 2),
    rule("people", "person", 2), // salespeople
  ],
  verb: [
    rule("s", ""),
    rule("ies", "y"),
    rule("es", "e"),
    rule("es", ""),
    rule("ed", "e"),
    rule("ed", ""),
    rule("ing", "e"),
    rule("ing", ""),
    // ours
    rule("ied", "y"),
    rule("ying", "ie"),
    ...undouble("ed", "ing", "es"),
    rule("cked", "c", 2), // panicked
    rule("cking", "c", 2),
  ],
  adj: [
    rule("er", ""),
    rule("est", ""),
    rule("er", "e"),
    rule("est", "e"),
    // ours
    rule("ier", "y"),
    rule("iest", "y"),
    ...undouble("er", "est"),
  ],
  adv: [], // an adverb is looked up unchanged
}
