import { createContext } from "#dist/kernels/context.js"
import { inspectLog } from "#dist/log/inspect-log.js"
import { readLog } from "#dist/log/read-log.js"
import { writeSynth } from "#dist/release/write-synth.js"
import { type Bench, type Finding, memoryAtMost, rateAtLeast, type Target, timed } from "./case.ts"
import { heavyLogPath, logPath, makeLog } from "./data.ts"
import { measureOwnWords, nameFigures, realOwnWords } from "./own-words.ts"
import { countOf, type Figure, type FigureName, figureNames, published } from "./published-figures.ts"

const sizes = [1_000_000, 10_000_000, 36_000_000] as const
const full = 36_000_000
const millions = (rows: number) => `${rows / 1e6} M rows`
const fitOf = (rows: number) => `figures of ${millions(rows)}`
/** As many rows per user as the real log on which own words were measured. */
const heavy = { rows: 408_000, users: 1000 }
const ownWordsCase = "own words of 408,000 rows"
const real = nameFigures(realOwnWords)
const allowedOfReal = 15

/** Makes the log again, where the other benches look for it. The bytes are the same. */
async function generate(rows: number): Promise<Finding> {
  const { seconds, value } = await timed(() => writeSynth(logPath(rows), { rows, force: true }, createContext()))
  return { count: rows, seconds, users: value.users, secretRows: value.secretRows }
}

/** Counts every figure of `published` in one of our logs. */
export async function countFigures(path: string): Promise<Finding> {
  const { seconds, value } = await timed(async () => {
    const context = createContext()
    const { log } = await readLog(path, {}, context)
    let clicks = 0
    for (let row = 0; row < log.rows; row++) if ((log.url[row] ?? -1) >= 0) clicks++
    const figures = countOf(await inspectLog(log, {}, context))
    return { count: log.rows, ...figures, "rows with a click": clicks / log.rows }
  })
  return { seconds, ...value }
}

/** Measures how often people return to their own words, in a log of heavy users that is made again. */
async function countOwnWords(): Promise<Finding> {
  const context = createContext()
  await writeSynth(heavyLogPath, { ...heavy, force: true }, context)
  const { seconds, value } = await timed(async () => {
    const { log } = await readLog(heavyLogPath, {}, context)
    return nameFigures(measureOwnWords(log))
  })
  return { count: heavy.rows, seconds, ...value }
}

export function showFigure(name: FigureName, value: number): string {
  return published[name].kind === "share" ? `${(100 * value).toFixed(2)} %` : Math.round(value).toLocaleString("en")
}

/**
 * How far our figure is from the published one: percentage points of a share, percent of a count scaled to our rows.
 */
function difference({ kind, value }: Figure, ours: number): number {
  return kind === "share" ? 100 * (ours - value) : 100 * (ours / value - 1)
}

function fits(name: string, figure: Figure): Target {
  const allowed = figure.kind === "share" ? 3 : 20
  const unit = figure.kind === "share" ? "pp" : "%"
  return {
    what: name,
    limit: `±${allowed} ${unit}`,
    check: (findings) => {
      const gap = difference(figure, Number(findings.get(fitOf(full))?.[name]))
      return { value: `${gap >= 0 ? "+" : ""}${gap.toFixed(1)} ${unit}`, met: Math.abs(gap) <= allowed }
    },
  }
}

const gapToReal = (name: string, findings: ReadonlyMap<string, Finding>) =>
  100 * (Number(findings.get(ownWordsCase)?.[name]) / (real[name] ?? Number.NaN) - 1)

function fitsReal(name: string): Target {
  return {
    what: name,
    limit: `±${allowedOfReal} %`,
    check: (findings) => {
      const gap = gapToReal(name, findings)
      return { value: `${gap >= 0 ? "+" : ""}${gap.toFixed(1)} %`, met: Math.abs(gap) <= allowedOfReal }
    },
  }
}

function printOwnWords(findings: ReadonlyMap<string, Finding>): string {
  const show = (value: number) => (value >= 1 ? value.toFixed(0) : value.toFixed(3)).padStart(13)
  const lines = Object.entries(real).map(([name, value]) => {
    const ours = Number(findings.get(ownWordsCase)?.[name])
    return `${name.padEnd(48)}${show(ours)}${show(value)}${gapToReal(name, findings).toFixed(1).padStart(8)} %`
  })
  const head = `${"".padEnd(48)}${"408,000 rows".padStart(13)}${"real".padStart(13)}${"difference".padStart(11)}`
  return `${[head, ...lines].join("\n")}\n`
}

function printFigures(findings: ReadonlyMap<string, Finding>): string {
  const lines = figureNames.map((name) => {
    const figure = published[name]
    const cells = sizes.map((rows) => showFigure(name, Number(findings.get(fitOf(rows))?.[name])).padStart(13))
    const gap = difference(figure, Number(findings.get(fitOf(full))?.[name]))
    const unit = figure.kind === "share" ? "pp" : "% "
    const ends = [showFigure(name, figure.value).padStart(13), gap.toFixed(1).padStart(8)]
    return `${name.padEnd(30)}${[...cells, ...ends].join("")} ${unit}`
  })
  const names = sizes.map((rows) => millions(rows).padStart(13))
  const head = ["".padEnd(30), ...names, "published".padStart(13), "difference".padStart(11)].join("")
  return `${[head, ...lines].join("\n")}\n`
}

export const synthFit: Bench = {
  name: "synth-fit",
  prepare: () => makeLog(sizes[0]),
  cases: [
    ...sizes.map((rows) => ({ name: `generating ${millions(rows)}`, run: () => generate(rows) })),
    ...sizes.map((rows) => ({ name: fitOf(rows), run: () => countFigures(logPath(rows)) })),
    { name: ownWordsCase, run: countOwnWords },
  ],
  print: (findings) => `${printFigures(findings)}\n${printOwnWords(findings)}`,
  targets: [
    ...figureNames.map((name) => fits(name, published[name])),
    ...Object.keys(real).map(fitsReal),
    rateAtLeast(`generating ${millions(full)}`, 500_000),
    memoryAtMost(`generating ${millions(full)}`, 600),
  ],
}
