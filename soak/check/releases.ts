import type { Findings } from "../findings.ts"
import { idAt, idOf, type Search } from "../searches.ts"
import type { Sent } from "../sent.ts"

/** A release with the original search. */
export interface Release {
  seq: number
  /** The user it was released under. */
  user: string
  search: Search
  /** The number of the search whose time it shows: in strict mode, the search that closed the cell. */
  closedBy: number
}

interface Row {
  seq: number
  user: string
  query: string
  time: string
  rank: number
  url: string
}

/** Reads a line of the output: a JSON object, or a row of a table in a file, which has no numbers. */
function readLine(line: string, seq: number): Row {
  if (line.startsWith("{")) return JSON.parse(line)
  const [user = "", query = "", time = "", rank, url = ""] = line.split("\t")
  return { seq, user, query, time, rank: Number(rank), url }
}

/**
 * Checks that numbers are 0, 1, 2 …; that each release is a search that was sent, with its own text and rank, once; and
 * that no user is shown with their own search. Returns the releases that can be read.
 */
export function checkReleases(lines: readonly string[], sent: Sent, findings: Findings): Release[] {
  const left = new Map<number, number>()
  const releases: Release[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]
    if (line === undefined) {
      findings.add("a number is missing", String(at))
      continue
    }
    const { seq, user, query, time, rank, url } = readLine(line, at)
    const search = sent.searches[idOf(url)]
    const closedBy = idAt(time)
    if (seq !== at) findings.add("numbers have a gap", `${seq} in place of ${at}`)
    if (search === undefined || sent.searches[closedBy] === undefined) {
      findings.add("a release was never sent", line)
      continue
    }
    if (search.isBroken || search.topic === undefined)
      findings.add("a search without a topic or time was released", line)
    if (query !== search.query || rank !== search.rank)
      findings.add("a release has a different text or rank than its search", line)
    const before = left.get(search.id)
    if (before !== undefined) findings.add("a search was released twice", `${search.id} as ${before} and ${seq}`)
    left.set(search.id, seq)
    if (user === search.user) findings.add("a user was shown with their own search", line)
    releases.push({ seq, user, search, closedBy })
  }
  return releases
}
