import { createContext } from "queryveil/kernels"
import { inspectLog, readLog } from "queryveil/log"
import { writeSynth } from "queryveil/release"
import { type Bench, type Finding, memoryAtMost, rateAtLeast, type Target, timed } from "./case.ts"
import { logPath, makeLog } from "./data.ts"
import { countOf, type Figure, type FigureName, figureNames, published } from "./published-figures.ts"

const sizes = [1_000_000, 10_000_000, 36_000_000] as const
const full = 36_000_000
const millions = (rows: number) => `${rows / 1e6} M rows`
const fitOf = (rows: number) => `figures of ${millions(rows)}`

/** Makes the log anew, in the place where the other benches look for it: the same bytes. */
async function generate(rows: number): Promise<Finding> {
  const { seconds, value } = await timed(() => writeSynth(logPath(rows), { rows, force: true }, createContext()))
  return { count: rows, seconds, users: value.users, secretRows: value.secretRows }
}

/** Every figure of `published`, counted in a log of ours. */
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

export function showFigure(name: FigureName, value: number): string {
  return published[name].kind === "share" ? `${(100 * value).toFixed(2)} %` : Math.round(value).toLocaleString("en")
}

/** How far ours is from the published figure: percentage points of a share, percent of a count scaled to our rows. */
function difference({ kind, value }: Figure, ours: number): number {
  return kind === "share" ? 100 * (ours - value) : 100 * (ours / value - 1)
}

function fits(name: string, figure: Figure): Target {
  const allowed = figure.kind === "share" ? 3 : 20
  const unit = figure.kind === "share" ? "pp" : "%"
  return {
    what: name,
    limit: `±${allowed} ${unit}`,
    holds: (findings) => {
      const gap = difference(figure, Number(findings.get(fitOf(full))?.[name]))
      return { value: `${gap >= 0 ? "+" : ""}${gap.toFixed(1)} ${unit}`, met: Math.abs(gap) <= allowed }
    },
  }
}

function printFigures(findings: ReadonlyMap<string, Finding>): string {
  const lines = figureNames.map((name) => {
    const figure = published[name]
    const cells = sizes.map((rows) => showFigure(name, Number(findings.get(fitOf(rows))?.[name])).padStart(13))
    const gap = difference(figure, Number(findings.get(fitOf(full))?.[name]))
    const unit = figure.kind === "share" ? "pp" : "% "
    return `${name.padEnd(30)}${cells.join("")}${showFigure(name, figure.value).padStart(13)}${gap.toFixed(1).padStart(8)} ${unit}`
  })
  const head = `${"".padEnd(30)}${sizes.map((rows) => millions(rows).padStart(13)).join("")}${"published".padStart(13)}${"difference".padStart(11)}`
  return `${[head, ...lines].join("\n")}\n`
}

export const synthFit: Bench = {
  name: "synth-fit",
  prepare: () => makeLog(sizes[0]),
  cases: [
    ...sizes.map((rows) => ({ name: `making ${millions(rows)}`, run: () => generate(rows) })),
    ...sizes.map((rows) => ({ name: fitOf(rows), run: () => countFigures(logPath(rows)) })),
  ],
  print: printFigures,
  targets: [
    ...figureNames.map((name) => fits(name, published[name])),
    rateAtLeast(`making ${millions(full)}`, 500_000),
    memoryAtMost(`making ${millions(full)}`, 600),
  ],
}
