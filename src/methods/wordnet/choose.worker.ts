import { serveShards } from "../../kernels/parallel.ts"
import { wordNetFrom } from "../../wordnet/wordnet.ts"
import type { ChosenConcepts, ConceptShard } from "./choose-concepts.ts"
import { type ConceptFinder, createConceptFinder } from "./find-concepts.ts"

let finder: { run: number; find: ConceptFinder } | undefined

export function handle({ run, queries, wordnet, match, from, to }: ConceptShard): ChosenConcepts {
  if (finder?.run !== run) finder = { run, find: createConceptFinder(wordNetFrom(wordnet), match) }
  return finder.find(queries, { from, to })
}

serveShards(handle)
