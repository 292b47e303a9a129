import { type RunContext, yieldAndReport } from "../kernels/context.ts"
import { Interner } from "../kernels/dictionary.ts"
import { searchSorted } from "../kernels/search-sorted.ts"
import { packColumns, type WordNetColumns } from "./columns.ts"
import { LineReader } from "./line-reader.ts"
import { partOfSpeechBit, partsOfSpeech } from "./part-of-speech.ts"
import { readLemmas, readNounIndex } from "./read-index.ts"
import { readNounSynsets } from "./read-synsets.ts"
import { readTags } from "./read-tags.ts"
import { readSource, type Source, type SourceFile } from "./source.ts"

/** Reads the whole database. Lemmas are numbered in the order of the indexes, nouns first. */
export async function parseWordNet(source: Source, context: RunContext): Promise<WordNetColumns> {
  const total = Object.values(source.sizes).reduce((sum, size) => sum + size, 0)
  let done = 0
  const open = async (name: SourceFile) => {
    await yieldAndReport(context, { stage: "reading WordNet", done, total })
    done += source.sizes[name]
    return new LineReader(await readSource(source, name), { name })
  }

  const lemmas = new Interner({ expected: Math.ceil(source.sizes["index.noun"] / 32) })
  const nounReader = await open("index.noun")
  const index = readNounIndex(nounReader, lemmas)
  const dataReader = await open("data.noun")
  const synsets = readNounSynsets(dataReader, lemmas)
  const nouns = lemmas.size

  const partOfSpeech: number[] = new Array(nouns).fill(partOfSpeechBit.noun)
  for (const other of partsOfSpeech) {
    if (other === "noun") continue
    for (const lemma of readLemmas(await open(`index.${other}`), lemmas))
      partOfSpeech[lemma] = (partOfSpeech[lemma] ?? 0) | partOfSpeechBit[other]
  }
  while (index.senseOffsets.length <= lemmas.size) index.senseOffsets.push(index.senses.length)
  const { tags, senseTags } = readTags(await open("index.sense"), lemmas, index)

  const numberSynsets = (offsets: readonly number[], reader: LineReader) =>
    offsets.map((offset) => {
      const synset = searchSorted(synsets.offset, offset)
      return synset < 0 ? reader.fail() : synset
    })
  return packColumns({
    ...synsets,
    hypernyms: numberSynsets(synsets.hypernyms, dataReader),
    lemmaArena: lemmas.arena.subarray(0, lemmas.offsets[lemmas.size]),
    lemmaOffsets: lemmas.offsets.subarray(0, lemmas.size + 1),
    partOfSpeech,
    tags,
    senseOffsets: index.senseOffsets,
    senses: numberSynsets(index.senses, nounReader),
    senseTags,
  })
}
