import type { WordNet } from "./wordnet.ts"

/**
 * The unique name of a synset: its first lemma, `n` for noun, and the number of the lemma's sense, as in
 * `domestic_dog.n.01`. Researchers know this form.
 */
export function conceptLabel(wordnet: WordNet, synset: number): string {
  const [lemma] = wordnet.lemmasOf(synset)
  const sense = wordnet.synsetsOf(lemma).indexOf(synset) + 1
  return `${wordnet.lemmas.text(lemma).replaceAll(" ", "_")}.n.${String(sense).padStart(2, "0")}`
}

/** The synset of a label, or -1. */
export function findConcept(wordnet: WordNet, label: string): number {
  const parts = /^(.+)\.n\.(\d{2,})$/.exec(label)
  if (parts === null) return -1
  const lemma = wordnet.find(parts[1].replaceAll("_", " "), "noun")
  const synset = lemma < 0 ? undefined : wordnet.synsetsOf(lemma)[Number(parts[2]) - 1]
  return synset !== undefined && conceptLabel(wordnet, synset) === label ? synset : -1
}
