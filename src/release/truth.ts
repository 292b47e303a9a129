import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { QueryveilError, systemCode } from "../kernels/error.ts"

/** What is known about a log that was made: which of its lines carry a planted secret. */
export interface Truth {
  /** Line of the log file (a header counts as line 1), and the kind of secret. */
  secrets: { line: number; kind: string }[]
}

/** Reads `secrets.tsv` (row, kind) from a truth folder. */
export async function readTruth(folder: string): Promise<Truth> {
  const path = join(folder, "secrets.tsv")
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
  if (lines[0] !== "row\tkind") throw broken(path, 1)
  const secrets = lines.slice(1).flatMap((line, i) => {
    if (line === "") return []
    const [row, kind, ...more] = line.split("\t")
    if (row === undefined || kind === undefined || more.length > 0 || !/^[1-9]\d{0,9}$/.test(row))
      throw broken(path, i + 2)
    return [{ line: Number(row), kind }]
  })
  return { secrets }
}

function broken(path: string, line: number): QueryveilError {
  return new QueryveilError(
    "truth-broken",
    `${path}, line ${line}: expected a header "row kind" and lines of a number and a kind, separated by a tab.`,
    {
      file: path,
      line,
    },
  )
}
