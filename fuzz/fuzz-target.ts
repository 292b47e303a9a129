import { Coverage } from "./coverage.ts"
import { minimise } from "./minimise.ts"
import { mostBytes, mutate } from "./mutate.ts"
import { createDraw } from "./random.ts"
import { checkInput, type FuzzTarget } from "./target.ts"

/** The result of fuzzing. */
export interface FuzzResult {
  runs: number
  /** Number of statements and arms of branches that were reached. */
  reached: number
  /** What the corpus reaches before anything is mutated. */
  reachedFirst: number
  /** Inputs that each reach something that no smaller one does. */
  corpus: Uint8Array[]
  found: { input: Uint8Array; problem: string }[]
}

/** How to fuzz. */
export interface FuzzOptions {
  seconds: number
  seed: number
  corpus: readonly Uint8Array[]
  /** Receives each input before it is run, because a run that never ends cannot report it later. */
  before(input: Uint8Array): void
}

const mostFound = 5

/** Runs inputs that are mutated from those that reached something new, until the time is over. */
export async function fuzzTarget(target: FuzzTarget, options: FuzzOptions): Promise<FuzzResult> {
  const draw = createDraw(options.seed)
  const coverage = new Coverage()
  const words = target.words.map((word) => Buffer.from(word))
  const found = new Map<string, FuzzResult["found"][number]>()
  const kept: { input: Uint8Array; breadth: number }[] = []
  let runs = 0
  coverage.take() // what ran while modules were loaded

  const run = async (input: Uint8Array) => {
    options.before(input)
    const problem = await checkInput(target, input)
    runs++
    const { breadth, fresh } = coverage.take()
    if (fresh > 0) kept.push({ input, breadth })
    if (problem === undefined || found.has(nameOf(problem))) return
    const fails = async (smaller: Uint8Array) => {
      options.before(smaller)
      const other = await checkInput(target, smaller)
      return other !== undefined && nameOf(other) === nameOf(problem)
    }
    found.set(nameOf(problem), { input: await minimise(input, fails), problem })
  }

  const first = [...(await target.seeds()), ...options.corpus].map((input) => Buffer.from(input).subarray(0, mostBytes))
  for (const input of [new Uint8Array(0), ...first]) await run(input)
  const reachedFirst = coverage.reached
  const end = performance.now() + options.seconds * 1000
  while (performance.now() < end && found.size < mostFound) {
    const recent = Math.min(kept.length, draw(3) === 0 ? 8 : kept.length)
    const pick = () => kept[kept.length - 1 - draw(recent)]
    const [one, other] = [pick(), pick()] // the broader of two: an input that is refused at once leads nowhere
    const { input } = draw(2) === 0 || one.breadth >= other.breadth ? one : other
    await run(mutate(input, { draw, words, other: kept[draw(kept.length)].input }))
  }
  const { reached } = coverage
  return {
    runs,
    reached,
    reachedFirst,
    corpus: await distil(
      target,
      kept.map(({ input }) => input),
    ),
    found: [...found.values()],
  }
}

/** Identifies a problem, whatever numbers and texts its message has: by the kind of error, and where it was thrown. */
function nameOf(problem: string): string {
  const [message, ...frames] = problem.split("\n")
  const where = frames.find((frame) => frame.includes("/dist/")) ?? message
  return `${message.split(":", 1)[0]} ${where.trim()}`
}

/** Selects inputs, smallest first, that each reach a statement or an arm that those before it do not. */
async function distil(target: FuzzTarget, inputs: readonly Uint8Array[]): Promise<Uint8Array[]> {
  const coverage = new Coverage()
  const chosen: Uint8Array[] = []
  for (const input of inputs.toSorted((a, b) => a.length - b.length)) {
    const before = coverage.reached
    await checkInput(target, input)
    coverage.take()
    if (coverage.reached > before && input.length > 0) chosen.push(input)
  }
  return chosen
}
