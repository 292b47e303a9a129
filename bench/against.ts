import { parseArgs } from "node:util"
import type { Bench, Finding } from "./case.ts"
import { type Comparison, compareRuns, comparisonTable, type Runs } from "./compare-trees.ts"
import { findCommit, ProcessError, runIn, thisTree, withTree } from "./other-tree.ts"

export const againstUsage = "npm run bench -- [BENCH…] --against REF [--case CASE]… [--rounds 5] [--json]"

interface Choice {
  ref: string
  commit: string
  /** The chosen cases, by bench. */
  cases: ReadonlyMap<string, readonly string[]>
  rounds: number
  json: boolean
}

/**
 * Compares benches of this tree with those of another commit, and returns the exit code: 1 if a case is slower here.
 * The trees take turns, so a machine that slows down does so for both. Both read the same synthetic logs.
 */
export async function runAgainst(args: readonly string[], benches: readonly Bench[]): Promise<number> {
  const choice = readArguments(args, benches)
  if (typeof choice === "string") {
    say(`${choice}\nUsage: ${againstUsage}`)
    return 2
  }
  const stopped = new AbortController()
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => stopped.abort())
  const { signal } = stopped
  try {
    const comparisons = await withTree(choice.commit, { signal, say }, (tree) => compareTrees(tree, choice, signal))
    return report(comparisons, choice)
  } catch (error) {
    if (!signal.aborted) throw error
    say("stopped; the other tree is removed")
    return 130
  }
}

function readArguments(args: readonly string[], benches: readonly Bench[]): Choice | string {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      against: { type: "string", default: "" },
      case: { type: "string", multiple: true },
      rounds: { type: "string", default: "5" },
      json: { type: "boolean", default: false },
    },
  })
  const { against: ref, case: only, json } = values
  const unknown = positionals.find((name) => benches.every((bench) => bench.name !== name))
  if (unknown !== undefined) return `There is no bench ${unknown}.`
  const rounds = Number(values.rounds)
  if (!Number.isInteger(rounds) || rounds < 1) return "--rounds: expected a whole number of at least 1."
  const chosen = benches
    .filter(({ name }) => positionals.length === 0 || positionals.includes(name))
    .map(({ name, cases }): [string, string[]] => [name, cases.map((one) => one.name)])
    .map(([name, cases]): [string, string[]] => [name, cases.filter((one) => only?.includes(one) ?? true)])
    .filter(([, cases]) => cases.length > 0)
  if (chosen.length === 0) return `No bench has a case ${only?.join(" or ")}.`
  const commit = findCommit(ref)
  return commit === undefined ? `git knows no commit ${ref}.` : { ref, commit, cases: new Map(chosen), rounds, json }
}

async function compareTrees(tree: string, { cases, rounds }: Choice, signal: AbortSignal): Promise<Comparison[]> {
  const comparisons: Comparison[] = []
  for (const [bench, names] of cases) {
    say(`${bench}: preparing`)
    const there = await tryBench(tree, [bench, "--prepare"], signal)
    const here = await tryBench(thisTree, [bench, "--prepare"], signal) // last: this tree writes the files of both
    for (const name of names) {
      say(`${bench}: ${name}`)
      const runs = { reference: startOf(there), here: startOf(here) }
      for (let round = 0; round < rounds; round++) {
        runs.reference = await runOnce(runs.reference, { tree, bench, name }, signal)
        runs.here = await runOnce(runs.here, { tree: thisTree, bench, name }, signal)
      }
      comparisons.push(compareRuns({ bench, name }, runs))
    }
  }
  return comparisons
}

type Outcome = { printed: string } | "missing" | "failed"

const startOf = (outcome: Outcome): Runs => (typeof outcome === "string" ? outcome : [])

/** Adds a run of the case. A case that is missing or failed is not run again. */
async function runOnce(
  before: Runs,
  { tree, bench, name }: { tree: string; bench: string; name: string },
  signal: AbortSignal,
): Promise<Runs> {
  if (typeof before === "string") return before
  const outcome = await tryBench(tree, [bench, "--case", name], signal)
  if (typeof outcome === "string") return outcome
  const finding: Finding = JSON.parse(outcome.printed)
  return finding.skipped === undefined ? [...before, finding] : "missing"
}

async function tryBench(tree: string, args: readonly string[], signal: AbortSignal): Promise<Outcome> {
  try {
    const program = [process.execPath, "--max-old-space-size=8192", "build/bench/run.js"]
    return { printed: await runIn(tree, [...program, ...args], signal) }
  } catch (error) {
    if (signal.aborted || !(error instanceof ProcessError)) throw error
    // What `run.ts` answers for a bench or a case that it does not have.
    if (error.code === 2 || error.message.includes(`no case ${args.at(-1)}`)) return "missing"
    say(error.message)
    return "failed"
  }
}

function report(comparisons: readonly Comparison[], { ref, commit, rounds, json }: Choice): number {
  const missing = comparisons.filter(({ reference }) => reference === "missing").length
  if (json) {
    const answer = { against: { ref, commit }, node: process.version, rounds, cases: comparisons }
    process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`)
  } else {
    process.stdout.write(`\n${comparisonTable(comparisons, ref)}`)
    if (missing > 0) process.stdout.write(`\n${ref} does not have ${missing} of ${comparisons.length} cases.\n`)
  }
  return comparisons.some(({ verdict, here }) => verdict === "slower" || here === "failed") ? 1 : 0
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
