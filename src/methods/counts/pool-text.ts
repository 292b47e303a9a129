import { QueryveilError } from "../../kernels/error.ts"
import { normaliseQuery } from "../../text/normalise.ts"

/** How a file of public text becomes queries. */
export interface PoolReading {
  /** Most words of an n-gram. If undefined, each line is a query. */
  ngrams?: number | undefined
  /** Queries that are rarer in the file are left out. */
  minFrequency?: number
}

/** A map holds no more than 2²⁴ entries. */
const mostTexts = 10_000_000

/**
 * Reads the queries of a public file with their frequencies. A line is one of three things: a text; a text, a tab and
 * its frequency; or a frequency and then words, as corpora write n-grams (`205⇥a⇥babe⇥in`). A text without a frequency
 * counts one for each line it is on. With `ngrams`, every run of 1 to n words of the text counts as often as the text.
 * No run crosses a punctuation mark.
 */
export function readPoolText(content: string, { ngrams, minFrequency = 1 }: PoolReading): Map<string, number> {
  const frequencies = new Map<string, number>()
  const add = (text: string, frequency: number) => {
    if (frequencies.size === mostTexts && !frequencies.has(text))
      throw new QueryveilError(
        "usage",
        "The pool has more than ten million queries. Take fewer words or a shorter text.",
        {
          flag: "--pool-ngrams",
        },
      )
    frequencies.set(text, Math.min(Number.MAX_SAFE_INTEGER, (frequencies.get(text) ?? 0) + frequency))
  }
  for (const line of content.split("\n")) {
    const { text, frequency } = readLine(line)
    if (text === "" || frequency === 0) continue
    if (ngrams === undefined) add(text, frequency)
    else for (const phrase of cutPhrases(text)) addNgrams(phrase, ngrams, (run) => add(run, frequency))
  }
  if (minFrequency > 1)
    for (const [text, frequency] of frequencies) if (frequency < minFrequency) frequencies.delete(text)
  return frequencies
}

function readLine(line: string): { text: string; frequency: number } {
  const fields = line.trim().split("\t")
  const isCount = (field: string | undefined) => /^[0-9]{1,15}$/.test(field ?? "")
  if (fields.length > 1 && isCount(fields.at(-1)))
    return { text: normaliseQuery(fields.slice(0, -1).join(" ")), frequency: Number(fields.at(-1)) }
  if (fields.length > 1 && isCount(fields[0]))
    return { text: normaliseQuery(fields.slice(1).join(" ")), frequency: Number(fields[0]) }
  return { text: normaliseQuery(line), frequency: 1 }
}

/** Punctuation that ends a phrase: at the end of a word, around a word, or a dash between two words. */
const breaks = /[.,;:!?…]+(?= |$)|[()[\]{}"“”„«»|]+| [-–—/]+(?= )/gu
const edges = /^\p{P}+|\p{P}+$/gu

/** The words of each phrase of a normalised text, without punctuation at their ends. */
function cutPhrases(text: string): string[][] {
  return text.split(breaks).map((phrase) =>
    phrase
      .split(" ")
      .map((word) => word.replace(edges, ""))
      .filter((word) => word !== ""),
  )
}

function addNgrams(words: readonly string[], most: number, add: (run: string) => void): void {
  for (let from = 0; from < words.length; from++) {
    for (let to = from + 1; to <= Math.min(words.length, from + most); to++) add(words.slice(from, to).join(" "))
  }
}
