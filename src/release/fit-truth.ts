import { QueryveilError } from "../kernels/error.ts"
import type { ReadResult } from "../log/parse-sources.ts"
import type { SearchLog } from "../log/search-log.ts"
import { digestQuery, type LineDigest } from "./line-digests.ts"
import type { Truth, TruthFolder } from "./truth.ts"

/** The share of compared lines that may have been edited since. */
const tolerated = 0.1

/**
 * The truth about a log, by line of the log as it was read. If several files were read, the lines of the earlier files
 * are added. Refuses the truth of another log: one whose lines have other queries, or that has fewer lines. The
 * compression, encoding and layout of the log do not matter, because texts are compared after reading. Lines after the
 * known ones do not matter either. A folder without `digests.tsv` does not identify its log and is applied to the first
 * lines of any.
 */
export function fitTruth(truth: TruthFolder, input: ReadResult): { truth: Truth; warnings: string[] } {
  const { folder, digests = [] } = truth
  const { lines, files } = input.intake
  const starts = digests.length === 0 ? [0] : files.map(({ linesBefore }) => linesBefore)
  const [best] = compareAt(input, { digests, starts }).sort((a, b) => b.same - b.other - (a.same - a.other))
  const { start, same, other } = best ?? { start: 0, same: 0, other: 0 }
  const looked = same + other
  if (digests.length > 0 && (same === 0 || other > tolerated * looked)) {
    const found = `${other} of ${looked} lines that it knows have other queries here`
    throw foreign(folder, looked === 0 ? "none of the lines that it knows is a row here" : found)
  }
  const secrets = truth.secrets.map(({ line, kind }) => ({ line: line + start, kind }))
  const beyond = secrets.find(({ line }) => line > lines)
  if (beyond !== undefined)
    throw foreign(folder, `line ${beyond.line - start} has a secret, but this log has ${lines - start} lines`)
  const changed = [
    `${folder}: the log was changed since:`,
    `${other} of ${looked} lines that were checked have other queries`,
  ].join(" ")
  return { truth: { secrets }, warnings: other > 0 ? [changed] : [] }
}

interface Fit {
  start: number
  same: number
  other: number
}

/** For each start: how many of the lines have the expected query if the truth begins after that line. */
function compareAt(
  { log, intake }: ReadResult,
  { digests, starts }: { digests: readonly LineDigest[]; starts: readonly number[] },
): Fit[] {
  const wanted = new Uint8Array(intake.lines + 1)
  for (const start of starts) for (const { line } of digests) if (line + start <= intake.lines) wanted[line + start] = 1
  const found = digestLines(log, wanted)
  return starts.map((start) => {
    const held = digests.flatMap(({ line, digest }) => found.get(line + start)?.has(digest) ?? [])
    const same = held.filter((isSame) => isSame).length
    return { start, same, other: held.length - same }
  })
}

/** The digests of the queries in the wanted lines. A line may give several rows, or none. */
function digestLines(log: SearchLog, wanted: Uint8Array): Map<number, Set<string>> {
  const found = new Map<number, Set<string>>()
  for (let row = 0; row < log.rows; row++) {
    const line = log.line[row]
    if (wanted[line] !== 1) continue
    const digest = digestQuery(log.queries.bytes(log.query[row]))
    found.set(line, (found.get(line) ?? new Set()).add(digest))
  }
  return found
}

function foreign(folder: string, what: string): QueryveilError {
  return new QueryveilError(
    "truth-foreign",
    [
      `${folder}: is about another log: ${what}.`,
      "Give the folder that was written with this log, and the log with its lines unchanged.",
    ].join(" "),
    { file: folder, flag: "--truth" },
  )
}
