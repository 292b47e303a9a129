import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { QueryveilError, systemCode } from "../kernels/error.ts"
import type { LineDigest } from "./line-digests.ts"

/** What is known about a synthetic log: which of its lines contain a planted secret. */
export interface Truth {
  /** The line of the log file (a header counts as line 1), and the kind of secret. */
  secrets: { line: number; kind: string }[]
}

/** The truth as its folder has it. `fitTruth` checks that it is about a given log. */
export interface TruthFolder extends Truth {
  folder: string
  /** Digests of the queries in some lines of the log; undefined if the folder has none. */
  digests?: LineDigest[]
}

export const secretsFile = "secrets.tsv"
export const digestsFile = "digests.tsv"

/** Reads `secrets.tsv` (row, kind) and, if it exists, `digests.tsv` (row, digest) from a truth folder. */
export async function readTruth(folder: string): Promise<TruthFolder> {
  const secrets = await readLines(join(folder, secretsFile), "kind")
  const digests = await readLines(join(folder, digestsFile), "digest").catch((error) => {
    if (error instanceof QueryveilError && systemCode(error.cause) === "ENOENT") return undefined
    throw error
  })
  return {
    folder,
    secrets: secrets.map(({ line, value }) => ({ line, kind: value })),
    ...(digests && { digests: digests.map(({ line, value }) => ({ line, digest: value })) }),
  }
}

/** Reads a table of line numbers with one value each, below a header. */
async function readLines(path: string, column: string): Promise<{ line: number; value: string }[]> {
  let text: string
  try {
    text = await readFile(path, "utf8")
  } catch (cause) {
    throw new QueryveilError(
      "truth-broken",
      `${path}: cannot be read (${systemCode(cause)}). Give the folder that synth --truth wrote.`,
      {
        file: path,
        cause,
      },
    )
  }
  const lines = text.split(/\r?\n/)
  if (lines[0] !== `row\t${column}`) throw broken(path, { line: 1, column })
  return lines.slice(1).flatMap((line, i) => {
    if (line === "") return []
    const [row, value, ...more] = line.split("\t")
    if (row === undefined || value === undefined || more.length > 0 || !/^[1-9]\d{0,9}$/.test(row))
      throw broken(path, { line: i + 2, column })
    return [{ line: Number(row), value }]
  })
}

function broken(path: string, { line, column }: { line: number; column: string }): QueryveilError {
  return new QueryveilError(
    "truth-broken",
    [
      `${path}, line ${line}: expected a header "row ${column}" and lines of a number and a ${column},`,
      "separated by a tab.",
    ].join(" "),
    {
      file: path,
      line,
    },
  )
}
