import type { AuditFolder } from "../release/read-audit.ts"
import type { Taxonomy } from "../taxonomy/taxonomy.ts"
import { dealUnder, hashHalf, type Position, type Secret } from "./keyed-dealing.ts"
import { fileRow } from "./release-checks.ts"
import type { Units } from "./swap-cells.ts"
import type { Records, SwapSubject } from "./swap-records.ts"
import type { Check } from "./verifier.ts"

export const dealingKeyPromise = {
  name: "dealing-key",
  promise: "each cell was dealt as the key in the audit says",
}

/** Where users changed places: the category of each record, and the tree that it is in. */
export interface FoundCategories {
  category: Int32Array
  taxonomy: Taxonomy
}

interface Cells {
  records: Records
  units: Units
  /** Undefined if the categories could not be found. */
  found: FoundCategories | undefined
  isStream: boolean
}

/**
 * Deals each cell again under the key of the audit, and compares. The cells of a log are numbered as they closed. A
 * stream numbers them since its store began, so the audit of a period lists the numbers. How members were chosen where
 * more than k + 1 users waited is not checked.
 *
 * If a line of the log has searches of one text at several times, the trail does not say which of them is meant. Then
 * nothing is checked.
 */
export async function checkDealingKey(subject: SwapSubject, cells: Cells, audit: AuditFolder): Promise<Check> {
  const { found, isStream, records, units } = cells
  const unread = (detail: string): Check => ({ ...dealingKeyPromise, state: "not checked", detail })
  const fails = (record: number, detail: string): Check => {
    const row = fileRow(subject.release, subject.released, records.row[record])
    return { ...dealingKeyPromise, state: "failed", row, detail }
  }
  if (!audit.has("dealing")) return unread("the audit has no key")
  if (found === undefined) return unread("the categories are not known")
  const secret = await readSecret(audit)
  if (secret === undefined) return { ...dealingKeyPromise, state: "failed", detail: "the key is not readable" }
  const numbers = isStream ? await readNumbers(audit) : undefined
  if (isStream && numbers === undefined) return unread("the audit does not have the numbers of the cells")
  const membersOf = memberReader(subject, cells, secret)
  const numberOf = numberCells(numbers)
  const deal = dealUnder(secret)
  for (let cell = 0; cell + 1 < units.starts.length; cell++) {
    const first = units.record[units.starts[cell]]
    const category = found.category[first]
    const number = numberOf(category, records.cell[first])
    if (number === undefined) return fails(first, "a cell without a number of its own")
    const members = membersOf(cell)
    const strange = members.find(({ times }) => times !== 1)
    if (strange?.times === 0) return fails(strange.record, "the trail names a search that is not in the cell")
    if (strange !== undefined) return unread("a line has searches of one text at several times")
    const positions = members.map(({ position }) => position)
    const dealt = deal({ path: found.taxonomy.path(category), number, positions })
    const wrong = members.find(({ shown }, place) => shown !== members[dealt[place]].user)
    if (wrong !== undefined) return fails(wrong.record, "dealt in another way")
  }
  return { ...dealingKeyPromise, state: "passed", value: units.starts.length - 1 }
}

interface Member {
  record: number
  user: number
  /** The user whom the unit is shown with. */
  shown: number
  position: Position
  /** The number of times that the unit may have. The position is valid if it is 1. */
  times: number
}

const comparePositions = (a: Position, b: Position) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]

/** The number of a cell in its category, given the cells in order; undefined if it has none, or one that is taken. */
function numberCells(listed: ReadonlyMap<number, number> | undefined) {
  const counts = new Map<number, number>()
  const taken = new Set<string>()
  return (category: number, cell: number): number | undefined => {
    const count = counts.get(category) ?? 0
    counts.set(category, count + 1)
    const number = listed === undefined ? count : listed.get(cell)
    const key = `${category} ${number}`
    if (taken.has(key)) return undefined
    taken.add(key)
    return number
  }
}

/**
 * Returns a function that reads the members of a cell, in the order of their positions. The position of a unit is that
 * of the first of its records that was taken. The trail names it on the unit that is shown with its user.
 */
function memberReader({ log }: SwapSubject, { records, units }: Cells, secret: Secret) {
  const texts = { user: (id: number) => log.users.bytes(id), query: (id: number) => log.queries.bytes(id) }
  const [high, low] = [hashHalf(secret, "high")(texts), hashHalf(secret, "low")(texts)]
  const { byLine, donorFrom, donorTo } = records
  return (cell: number): Member[] => {
    const some = [...units.record.subarray(units.starts[cell], units.starts[cell + 1])]
    const namedBy = new Map(some.map((record) => [log.user[records.donor[record]], record]))
    const members = some.map((record): Member => {
      const row = records.source[record]
      const [user, query] = [log.user[row], log.query[row]]
      const naming = namedBy.get(user) ?? record
      const named = byLine.subarray(donorFrom[naming], donorTo[naming])
      const times = new Set<number>()
      for (const at of named) if (log.user[at] === user && log.query[at] === query) times.add(log.time[at])
      const [time = 0] = times
      const position = [time + 2 ** 31, high(user, query), low(user, query)] as const
      return { record, user, shown: log.user[records.donor[record]], position, times: times.size }
    })
    return members.sort((a, b) => comparePositions(a.position, b.position))
  }
}

/** The secret of the audit; undefined if it is not one line of the right form. */
async function readSecret(audit: AuditFolder): Promise<Secret | undefined> {
  const lines: string[][] = []
  for await (const line of audit.rows("dealing", ["version", "key"])) lines.push(line)
  const [version = "", key = ""] = lines[0] ?? []
  const isSound = lines.length === 1 && /^[1-9]\d{0,8}$/.test(version) && /^[0-9a-f]{64}$/.test(key)
  return isSound ? { version, key: Buffer.from(key, "hex") } : undefined
}

/** By cell: its number in its category; undefined if the audit does not list them. */
async function readNumbers(audit: AuditFolder): Promise<Map<number, number> | undefined> {
  if (!audit.has("cells")) return undefined
  const numbers = new Map<number, number>()
  for await (const [cell, number] of audit.rows("cells", ["cell", "number in category"]))
    if (/^\d{1,15}$/.test(cell) && /^\d{1,15}$/.test(number)) numbers.set(Number(cell), Number(number))
  return numbers
}
