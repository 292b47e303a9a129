/** A part of speech, named as in the file names of the database. */
export type PartOfSpeech = "noun" | "verb" | "adj" | "adv"

/** The order in which the lemmas are numbered. */
export const partsOfSpeech: readonly PartOfSpeech[] = ["noun", "verb", "adj", "adv"]

/** One bit for each, so that the parts of speech of a lemma fit in one byte. */
export const partOfSpeechBit = { noun: 1, verb: 2, adj: 4, adv: 8 } as const satisfies Record<PartOfSpeech, number>
