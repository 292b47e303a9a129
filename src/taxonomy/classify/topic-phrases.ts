import { baseForms } from "../../wordnet/base-forms.ts"
import type { Taxonomy } from "../taxonomy.ts"
import type { WordNetTaxonomy } from "../wordnet/wordnet-taxonomy.ts"

/**
 * A phrase that names a topic. The weight is how likely the phrase means this topic among all that it names, up to a
 * factor.
 */
export interface TopicPhrase {
  words: string[]
  node: number
  weight: number
}

export const isWordNet = (taxonomy: Taxonomy): taxonomy is WordNetTaxonomy => "wordnet" in taxonomy

/**
 * All phrases that name a topic: for WordNet every noun, by sense; otherwise the names of topics and the items listed
 * in them.
 */
export function* topicPhrases(taxonomy: Taxonomy): Generator<TopicPhrase> {
  if (isWordNet(taxonomy)) yield* nounPhrases(taxonomy)
  else yield* namePhrases(taxonomy)
}

/**
 * A sense weighs as often as it was tagged in Princeton's concordances, plus 1/2 for the first sense, 1/4 for the
 * second, 1/6 for the third and so on. Most senses were never tagged, and senses are listed by frequency.
 */
function* nounPhrases({ wordnet, nodeOf }: WordNetTaxonomy): Generator<TopicPhrase> {
  for (let lemma = 0; lemma < wordnet.nouns; lemma++) {
    const words = phraseWords(wordnet.lemmas.text(lemma))
    const tags = wordnet.senseTagsOf(lemma)
    const senses = wordnet.synsetsOf(lemma)
    for (let i = 0; i < senses.length; i++) yield { words, node: nodeOf(senses[i]), weight: tags[i] + 1 / (2 * i + 2) }
  }
}

function* namePhrases(taxonomy: Taxonomy): Generator<TopicPhrase> {
  const { size, support } = taxonomy
  for (let node = 1; node < size; node++) {
    const name = taxonomy.name(node).toLowerCase().normalize("NFKC").replaceAll("_", " ")
    const listed = name.split(/[,/&;()]| and /)
    for (const part of new Set(listed.length > 1 ? [name, ...listed] : listed)) {
      const words = phraseWords(part)
      const last = words.pop()
      if (last === undefined) continue
      // `Tables` names what `table` names.
      for (const form of new Set([last, ...baseForms(last, "noun")]))
        yield { words: [...words, form], node, weight: 1 + support[node] }
    }
  }
}

/** Spaces and hyphens separate words. Full stops are left out. */
function phraseWords(text: string): string[] {
  return text.replaceAll(".", "").match(/[\p{L}\p{N}'+#]+/gu) ?? []
}
