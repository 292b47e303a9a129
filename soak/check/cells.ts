import type { Findings } from "../findings.ts"
import type { Sent, Settings } from "../sent.ts"
import type { Release } from "./releases.ts"

/** A text of one user, once or several times, that was released under another user. */
interface Unit {
  user: string
  owner: string
  query: string
  topic: readonly string[]
}

/** Bounds on the number of cells; the k in force is not always known. */
export interface CellCount {
  least: number
  most: number
}

/**
 * Checks that strict releases come in cells. One search closes one cell, or several after k or depth was changed; all
 * of them show its time. Each cell has the texts of k + 1 users of one topic, all different, and every user is shown
 * with a text of another.
 */
export function checkCells(releases: readonly Release[], sent: Sent, findings: Findings): CellCount {
  const cells = { least: 0, most: 0 }
  for (let from = 0; from < releases.length; ) {
    const closedBy = releases[from]?.closedBy ?? -1
    let to = from
    while (releases[to]?.closedBy === closedBy) to++
    const units = unitsOf(releases.slice(from, to))
    const possible = sent.settingsOf(closedBy)
    const counts = possible
      .filter((settings) => units.length % (settings.k + 1) === 0 && dealsWell(units, settings))
      .map(({ k }) => units.length / (k + 1))
    const where = `numbers ${from} to ${to - 1}, ${units.length} texts, settings ${JSON.stringify(possible)}`
    if (counts.length === 0) findings.add("a cell is not dealt among k + 1 users of a topic", where)
    else {
      cells.least += Math.min(...counts)
      cells.most += Math.max(...counts)
    }
    from = to
  }
  return cells
}

function unitsOf(releases: readonly Release[]): Unit[] {
  const units: Unit[] = []
  for (const { user, search } of releases) {
    const { user: owner, query, topic = [] } = search
    const last = units.at(-1)
    if (last === undefined || last.user !== user || last.owner !== owner || last.query !== query)
      units.push({ user, owner, query, topic })
  }
  return units
}

function dealsWell(units: readonly Unit[], { k, depth }: Settings): boolean {
  for (let at = 0; at < units.length; at += k + 1) {
    const cell = units.slice(at, at + k + 1)
    const owners = new Set(cell.map(({ owner }) => owner))
    const shown = new Set(cell.map(({ user }) => user))
    const texts = new Set(cell.map(({ query }) => query))
    const topics = new Set(cell.map(({ topic }) => topic.slice(0, depth).join("/")))
    if (owners.size !== k + 1 || shown.size !== k + 1 || texts.size !== k + 1 || topics.size !== 1) return false
    if (cell.some(({ user, owner }) => user === owner || !owners.has(user))) return false
  }
  return true
}
