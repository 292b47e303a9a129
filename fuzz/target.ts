import { QueryveilError } from "#dist/kernels/error.js"

/** A parser under test. A file of `targets` exports one as `target`. */
export interface FuzzTarget {
  /** Modules whose branches guide the fuzzer: the prefixes of their paths below `dist/`. */
  covers: readonly string[]
  /** Words of the format, which mutation inserts into inputs. */
  words: readonly string[]
  /** First inputs, in addition to the corpus. */
  seeds(): readonly (string | Uint8Array)[] | Promise<readonly (string | Uint8Array)[]>
  /**
   * Gives an input to the parser and checks the result. Throws if a promise is broken. A `QueryveilError` is a refusal,
   * not a finding.
   */
  check(input: Uint8Array): void | Promise<void>
}

/** Milliseconds of processor time and bytes of memory that one input may take. */
const most = { milliseconds: 1000, bytes: 256 << 20 }

/** What is wrong, for a person; undefined if the parser kept its promises. */
export type Problem = string | undefined

/** Checks one input. Problems are an error that is not a refusal, a slow run, and a run that takes much memory. */
export async function checkInput(target: FuzzTarget, input: Uint8Array): Promise<Problem> {
  const problem = await timeInput(target, input)
  // A busy machine or a running compiler slows one run, so a slow run is repeated.
  return problem?.startsWith(slow) ? timeInput(target, input) : problem
}

const slow = "slow:"

async function timeInput(target: FuzzTarget, input: Uint8Array): Promise<Problem> {
  const started = process.cpuUsage()
  const { maxRSS } = process.resourceUsage()
  try {
    await target.check(new Uint8Array(input)) // the parser may write into its input
  } catch (error) {
    if (!isRefusal(error)) return error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
  const { user, system } = process.cpuUsage(started)
  const milliseconds = (user + system) / 1000
  if (milliseconds > most.milliseconds) return `${slow} ${Math.round(milliseconds)} ms for ${input.length} bytes`
  const grown = (process.resourceUsage().maxRSS - maxRSS) * 1024
  return grown > most.bytes ? `large: ${grown >> 20} MiB for ${input.length} bytes` : undefined
}

/** True for an error with a code that users can look up. `internal` is not one: it says that the software is wrong. */
function isRefusal(error: unknown): boolean {
  return error instanceof QueryveilError && error.code !== "internal" && !error.message.includes("undefined")
}

/** Throws a problem if a promise is broken. */
export function ensure(isKept: boolean, what: string): asserts isKept {
  if (!isKept) throw new Error(`broken promise: ${what}`)
}
