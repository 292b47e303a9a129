import { type RunContext, yieldAndReport } from "../../kernels/context.ts"
import { shuffle } from "../../kernels/random.ts"
import type { SearchLog } from "../../log/search-log.ts"
import type { TracedRows } from "../truth/trace-rows.ts"

/** Which users the names of a release stand for. */
export interface People {
  /** The user of each name; -1 if unknown. */
  owners: Int32Array
  /** The number of names that stand for each user. */
  names: ReadonlyMap<number, number>
}

export async function findOwners({ released, ownerOf = () => -1 }: TracedRows, context: RunContext): Promise<People> {
  const owners = new Int32Array(released.users.size)
  const names = new Map<number, number>()
  for (let name = 0; name < owners.length; name++) {
    if (name % 4096 === 0) await yieldAndReport(context, { stage: "finding owners", done: name, total: owners.length })
    owners[name] = ownerOf(name)
    if (owners[name] >= 0) names.set(owners[name], (names.get(owners[name]) ?? 0) + 1)
  }
  return { owners, names }
}

export interface NamedTarget {
  name: number
  person: number
}

/** Draws names with a row in the period of the second release whose user is named there too. */
export function drawNames(
  { released, ownerOf = () => -1 }: TracedRows,
  given: { second: TracedRows; timeUnit: number | undefined; people: People; most: number },
  { random }: RunContext,
): NamedTarget[] {
  const { second, timeUnit, people, most } = given
  const isInPeriod = periodOf(second.released, timeUnit)
  const inPeriod = new Uint8Array(released.users.size)
  for (let row = 0; row < released.rows; row++) if (isInPeriod(released.time[row])) inPeriod[released.user[row]] = 1
  const names = Uint32Array.from(inPeriod.keys()).filter((name) => inPeriod[name] === 1)
  shuffle(names, random)
  const targets: NamedTarget[] = []
  for (const name of names) {
    if (targets.length === most) break
    const person = ownerOf(name)
    if (person >= 0 && people.names.has(person)) targets.push({ name, person })
  }
  return targets
}

/**
 * Returns a test whether a time is in the period of a log, both truncated to the unit. Always true if times cannot be
 * compared.
 */
function periodOf({ time }: SearchLog, unit: number | undefined): (time: number) => boolean {
  if (unit === undefined) return () => true
  const cut = (at: number) => Math.floor(at / unit)
  const from = time.reduce((least, at) => Math.min(least, cut(at)), Number.POSITIVE_INFINITY)
  const to = time.reduce((most, at) => Math.max(most, cut(at)), Number.NEGATIVE_INFINITY)
  return (at) => cut(at) >= from && cut(at) <= to
}
