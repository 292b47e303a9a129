/** A part of speech, named as the database names its files. */
export type PartOfSpeech = "noun" | "verb" | "adj" | "adv"

/** The order in which the lemmas are numbered. */
export const partsOfSpeech: readonly PartOfSpeech[] = ["noun", "verb", "adj", "adv"]

/** A bit for each, so that what a lemma can be fits in one byte. */
export const partOfSpeechBit = { noun: 1, verb: 2, adj: 4, adv: 8 } as const satisfies Record<PartOfSpeech, number>
