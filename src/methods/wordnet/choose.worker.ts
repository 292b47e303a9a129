import { dictionaryFrom } from "../../kernels/dictionary.ts"
import { serveShards } from "../../kernels/parallel.ts"
import { englishFunctionWords, parseFunctionWords } from "../../text/function-words.ts"
import { createNounFinder, type NounSpan } from "../../wordnet/find-nouns.ts"
import { wordNetFrom } from "../../wordnet/wordnet.ts"
import type { ChosenConcepts, ConceptShard } from "./choose-concepts.ts"

type Reader = (text: string) => { concept: number; words: number; matched: number }

let reader: { run: number; read: Reader } | undefined

export function handle({ run, queries, wordnet, from, to }: ConceptShard): ChosenConcepts {
  if (reader?.run !== run) reader = { run, read: createReader(wordnet) }
  const { read } = reader
  const texts = dictionaryFrom(queries)
  const concept = new Int32Array(to - from)
  const words = new Uint16Array(to - from)
  const matched = new Uint16Array(to - from)
  for (let i = 0; i < concept.length; i++) {
    const found = read(texts.text(from + i))
    concept[i] = found.concept
    words[i] = found.words
    matched[i] = found.matched
  }
  return { concept, words, matched }
}

function createReader(columns: ConceptShard["wordnet"]): Reader {
  const wordnet = wordNetFrom(columns)
  const functionWords = parseFunctionWords(englishFunctionWords)
  const findNouns = createNounFinder(wordnet, { skip: (word) => functionWords.has(word) })
  return (text) => {
    const words = text.split(" ")
    const spans = findNouns(words)
    let chosen: NounSpan | undefined
    let matched = 0
    for (const span of spans) {
      matched += span.length
      if (span.length >= (chosen?.length ?? 0)) chosen = span
    }
    const concept = chosen === undefined ? -1 : wordnet.synsetsOf(chosen.lemma)[0]
    return { concept, words: Math.min(words.length, 0xffff), matched: Math.min(matched, 0xffff) }
  }
}

serveShards(handle)
