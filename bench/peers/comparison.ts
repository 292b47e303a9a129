import { type Finding, timed } from "../case.ts"
import { rounds } from "../trial.ts"

/** One program, with how it does the work of a comparison. */
interface Contender {
  name: string
  run(): Promise<Finding>
}

/** The same work on the same data by queryveil, which comes first, and by what people would use instead. */
export interface Comparison {
  /** Distinguishes it in tables and in `BENCH_ONLY`. */
  name: string
  /** What is done. */
  work: string
  prepare(): Promise<void>
  contenders: readonly Contender[]
  /** How the answer of another program differs from ours, and whether it is as expected. */
  compare(ours: Finding, theirs: Finding): { value: string; met: boolean }
}

/** Threads that every program may use. */
export const threads = 2

/** Runs an action some times in this process. Returns its best time, with the processor time of that run. */
export async function bestOf<T>(action: () => T | Promise<T>): ReturnType<typeof timed<T>> {
  let best = await timed(action)
  for (let round = 1; round < rounds; round++) {
    const run = await timed(action)
    if (run.seconds < best.seconds) best = run
  }
  return best
}

/** Numbers that must be the same. */
export function sameNumbers(keys: readonly string[]): Comparison["compare"] {
  return (ours, theirs) => {
    const different = keys.filter((key) => ours[key] !== theirs[key])
    const met = different.length === 0
    const found = (met ? keys : different).map(
      (key) => `${key} ${show(theirs[key])}${met ? "" : `, not ${show(ours[key])}`}`,
    )
    return { value: `${met ? "equal" : "different"}: ${found.join(", ")}`, met }
  }
}

const show = (value: string | number | undefined) => (typeof value === "number" ? value.toLocaleString("en") : value)

/** The largest difference that another program found between its answers and ours. */
export function differenceAtMost(limit: number): Comparison["compare"] {
  return (_, { difference }) => {
    const value = Number(difference ?? Number.NaN)
    return { value: `largest difference ${value.toExponential(0)}`, met: value <= limit }
  }
}
