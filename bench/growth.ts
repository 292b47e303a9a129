import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { releaseAny } from "#dist/app/release.js"
import { createContext } from "#dist/kernels/context.js"
import { indexPrefixes } from "#dist/kernels/prefix-index.js"
import { readLog } from "#dist/log/read-log.js"
import { buildAffinityGraph } from "#dist/methods/affinity/affinity-graph.js"
import { calibrate } from "./calibration.ts"
import { type Bench, type Finding, type Target, timed } from "./case.ts"
import { benchFolder, logPath, makeLog } from "./data.ts"
import { type Grown, growthExponent } from "./growth-exponent.ts"
import { markdownTable } from "./markdown-table.ts"
import { isChosen, secondsOr, sizesOr } from "./trial.ts"

const million = 1_000_000
const sizes = sizesOr([1, 4, 16, 36])
const mostExponent = 1.15
const folder = join(benchFolder, "growth")
const [k, theta] = [10, 0.8]

const choices = {
  equality: { method: "equality", k },
  affinity: { method: "affinity", k, theta },
  groups: { method: "groups", k },
  counts: { method: "counts", epsilon: "8", delta: "1e-8" },
  swap: { method: "swap", k },
  wordnet: { method: "wordnet", k },
}

const readCached = (rows: number) => readLog(logPath(rows), { cache: join(benchFolder, "cache") }, createContext())

async function read(rows: number): Promise<Finding> {
  const { seconds, cpu } = await timed(() => readLog(logPath(rows), {}, createContext()))
  return { count: rows, seconds, cpu }
}

/** From the log in memory to the release on disk. */
async function release(rows: number, choice: (typeof choices)[keyof typeof choices]): Promise<Finding> {
  const input = await readCached(rows)
  const own = await mkdtemp(join(folder, "release-"))
  const { seconds, cpu } = await timed(() =>
    releaseAny(input, choice, { folder: join(own, "release") }, createContext()),
  )
  await rm(own, { recursive: true })
  return { count: rows, seconds, cpu }
}

/** The part of affinity that finds the pairs of similar queries. Its answer grows faster than the log. */
async function joinQueries(rows: number): Promise<Finding> {
  const { log } = await readCached(rows)
  const least = Math.max(k, Math.ceil(log.users.size / 10_000))
  const parameters = { minConceptUsers: least, minTermUsers: least, functionWords: "english", tokens: "words" } as const
  const { seconds, cpu, value } = await timed(() => buildAffinityGraph(log, { theta, ...parameters }, createContext()))
  const { starts } = indexPrefixes(value.expanded.vectors, theta)
  let compared = 0
  for (let concept = 0; concept + 1 < starts.length; concept++) {
    const length = (starts[concept + 1] ?? 0) - (starts[concept] ?? 0)
    compared += (length * (length - 1)) / 2
  }
  return { count: rows, seconds, cpu, pairs: value.graph.neighbours.length / 2, compared, concepts: starts.length - 1 }
}

const graphName = "affinity: pairs alone"
const runs: { name: string; run(rows: number): Promise<Finding> }[] = [
  { name: "reading", run: read },
  ...Object.entries(choices).map(([name, choice]) => ({ name, run: (rows: number) => release(rows, choice) })),
  { name: graphName, run: joinQueries },
].filter(({ name }) => isChosen(name))

type Findings = ReadonlyMap<string, Finding>

const caseName = (name: string, size: number) => `${name}, ${size} M rows`

/** What a method needed at each size from `least` on, if it was not skipped there. */
function grown(findings: Findings, name: string, { least = 0, of = "seconds" } = {}): Grown[] {
  return sizes.flatMap((size) => {
    const finding = findings.get(caseName(name, size))
    if (finding === undefined || finding.skipped !== undefined || size < least) return []
    return [{ size, amount: Number(finding[of]) }]
  })
}

/** The smallest sizes from which exponents are computed: the smallest alone has costs that do not grow. */
const leasts = sizes.slice(0, Math.max(1, sizes.length - 2)).slice(0, 2)

const units = {
  seconds: "seconds",
  cpu: "processor seconds",
  peakMegabytes: "MB at the peak",
  pairs: "pairs",
  compared: "pairs that share a rare concept",
  concepts: "concepts",
}

/** A table in Markdown of one unit, for docs/performance.md. */
function table(findings: Findings, of: keyof typeof units): string {
  const head = [units[of], ...sizes.map((size) => `${size} M rows`), ...leasts.map((least) => `from ${least} M`)]
  const lines = runs.flatMap(({ name }) => {
    const own = sizes.map((size) => findings.get(caseName(name, size)))
    if (own.every((finding) => finding?.[of] === undefined)) return []
    const cells = own.map((finding) => finding?.skipped ?? show(Number(finding?.[of])))
    const exponents = leasts.map((least) => growthExponent(grown(findings, name, { least, of })).toFixed(2))
    return [[name, ...cells, ...exponents]]
  })
  return markdownTable(head, lines)
}

const show = (value: number) =>
  value < 100 ? value.toPrecision(3) : value.toLocaleString("en", { maximumFractionDigits: 0 })

function report(findings: Findings): string {
  const loops = Array.from(findings.values(), ({ loop }) => Number(loop)).filter((loop) => !Number.isNaN(loop))
  const calibration = [Math.min(...loops), Math.max(...loops)].map((loop) => loop.toFixed(2)).join(" to ")
  const tables = (Object.keys(units) as (keyof typeof units)[]).map((of) => table(findings, of))
  return `${tables.join("\n")}\nCalibration loop: ${calibration} s\n`
}

const growsLittle = (name: string, least: number): Target => ({
  what: `${name}: exponent of time from ${least} M rows`,
  limit: `≤ ${mostExponent}`,
  check: (findings) => {
    const exponent = growthExponent(grown(findings, name, { least }))
    return { value: exponent.toFixed(2), met: exponent <= mostExponent }
  },
})

/** How time and memory grow with the log: docs/performance.md. */
export const growthBench: Bench = {
  name: "growth",
  limitSeconds: secondsOr(600),
  prepare: async () => {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    for (const size of sizes) {
      await makeLog(size * million)
      await readCached(size * million)
    }
  },
  cases: runs.flatMap(({ name, run }) =>
    sizes.map((size) => ({
      name: caseName(name, size),
      run: async () => {
        const loop = calibrate()
        return { ...(await run(size * million)), loop }
      },
    })),
  ),
  print: report,
  targets: runs.flatMap(({ name }) => leasts.map((least) => growsLittle(name, least))),
}
