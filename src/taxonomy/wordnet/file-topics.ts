import { lexicographerFiles } from "../../wordnet/lexicographer-files.ts"
import type { WordNet } from "../../wordnet/wordnet.ts"

/** A topic of level 1: a lexicographer file of nouns. */
export interface FileTopic {
  /** `animal` for `noun.animal`. In lower case, also `tops`. */
  name: string
  /** Describes the file, for the two files that no synset explains. */
  text: string
  /** The synset that is the topic, or -1. */
  synset: number
}

const prefix = "noun."
const topsFile = lexicographerFiles.indexOf("noun.Tops")
/** lexnames(5WN) */
const explained: Record<string, string> = { tops: "tops: unique beginners for nouns", body: "body: body parts" }

/**
 * The topics of level 1 and, for every synset, the topic that it belongs to. That is its file's topic or, for a synset
 * of Tops that names a file, that file's topic. A synset of Tops names a file if the file's name is one of its lemmas.
 * If two do (`substance`), the one that is the first hypernym of more synsets of the file wins, then the one that comes
 * first.
 */
export function fileTopics(wordnet: WordNet): { topics: FileTopic[]; topicOf: Uint8Array } {
  const { synsets, columns } = wordnet
  const topics: FileTopic[] = []
  const topicOfFile = new Uint8Array(lexicographerFiles.length)
  lexicographerFiles.forEach((file, number) => {
    if (!file.startsWith(prefix)) return
    const name = file.slice(prefix.length).toLowerCase()
    topicOfFile[number] = topics.length
    const synset = number === topsFile ? -1 : namesake(wordnet, { name, number })
    topics.push({ name, text: explained[name] ?? name, synset })
  })
  const topicOf = new Uint8Array(synsets)
  for (let s = 0; s < synsets; s++) topicOf[s] = topicOfFile[columns.file[s]]
  topics.forEach(({ synset }, topic) => {
    if (synset >= 0) topicOf[synset] = topic
  })
  return { topics, topicOf }
}

function namesake(wordnet: WordNet, file: { name: string; number: number }): number {
  const lemma = wordnet.find(file.name, "noun")
  const named = lemma < 0 ? [] : wordnet.synsetsOf(lemma).filter((s) => wordnet.columns.file[s] === topsFile)
  const hyponyms = (synset: number) => {
    let count = 0
    for (let s = 0; s < wordnet.synsets; s++)
      if (wordnet.columns.file[s] === file.number && wordnet.parent(s) === synset) count++
    return count
  }
  const ranked = [...named].map((synset) => ({ synset, hyponyms: named.length > 1 ? hyponyms(synset) : 0 }))
  ranked.sort((a, b) => b.hyponyms - a.hyponyms || a.synset - b.synset)
  return ranked[0]?.synset ?? -1
}
