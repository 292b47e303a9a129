import { readFile } from "node:fs/promises"
import { QueryveilError, systemCode } from "../kernels/error.ts"
import { normaliseQuery } from "../text/normalise.ts"

/** One person's judgement: is this query sensitive, or may everyone read it. */
export interface Label {
  query: string
  sensitive: boolean
}

/**
 * Reads judgements: a query and `sensitive` or `safe`, separated by a tab. A header `query label` is optional. With the
 * header, a query without a judgement is skipped.
 */
export async function readLabels(path: string): Promise<Label[]> {
  const lines = await readLines(path)
  const first = lines[0]?.split("\t").map((cell) => cell.trim().toLowerCase())
  const skip = first?.[0] === "query" && first[1] === "label" ? 1 : 0
  return lines.slice(skip).flatMap((line, i) => {
    if (line.trim() === "") return []
    const [text = "", judgement = "", ...more] = line.split("\t")
    const query = normaliseQuery(text)
    const word = judgement.trim().toLowerCase()
    if (skip === 1 && query !== "" && word === "" && more.length === 0) return []
    if (query === "" || more.length > 0 || (word !== "sensitive" && word !== "safe")) {
      throw new QueryveilError(
        "input-rows",
        `${path}, line ${i + skip + 1}: expected a query and the word sensitive or safe, separated by a tab.`,
        { file: path, line: i + skip + 1 },
      )
    }
    return [{ query, sensitive: word === "sensitive" }]
  })
}

/** Reads a list of queries, one per line, normalised like those of a log. */
export async function readQueryList(path: string): Promise<string[]> {
  const queries = (await readLines(path)).map((line) => normaliseQuery(line)).filter((query) => query !== "")
  return [...new Set(queries)]
}

async function readLines(path: string): Promise<string[]> {
  try {
    return (await readFile(path, "utf8")).replace(/^\ufeff/, "").split(/\r?\n/)
  } catch (cause) {
    const why = systemCode(cause)
    throw new QueryveilError(
      why === "ENOENT" ? "input-missing" : "input-unreadable",
      `${path}: cannot be read (${why}).`,
      { file: path, cause },
    )
  }
}
