import { join } from "node:path"
import { createContext } from "#dist/kernels/context.js"
import { writeSynth } from "#dist/release/write-synth.js"
import type { Bench, Finding, Target } from "./case.ts"
import { benchFolder, logPath, makeLog } from "./data.ts"
import { type FigureName, figureNames, published } from "./published-figures.ts"
import { countFigures, showFigure } from "./synth-fit.ts"

const rows = 1_000_000
const plain = "follow 0"
const shares = [0.3, 0.5]
const caseOf = (follow: number) => `follow ${follow}`

/**
 * The figures of a log with this share of following. The log is made again, so that it comes from the current model.
 */
async function countFollowing(follow: number): Promise<Finding> {
  const path = join(benchFolder, `synth-${rows}-follow.tsv`)
  await writeSynth(path, { rows, follow, force: true }, createContext())
  return countFigures(path)
}

/** The difference from the log without following: percentage points of a share, percent of a count. */
function shift(name: FigureName, findings: ReadonlyMap<string, Finding>, follow: number): number {
  const [before, after] = [plain, caseOf(follow)].map((key) => Number(findings.get(key)?.[name]))
  return published[name].kind === "share" ? 100 * (after - before) : 100 * (after / before - 1)
}

const signed = (name: FigureName, value: number) =>
  `${value >= 0 ? "+" : ""}${value.toFixed(1)} ${published[name].kind === "share" ? "pp" : "%"}`

function hardlyMoves(name: FigureName): Target {
  const allowed = published[name].kind === "share" ? 3 : 10
  return {
    what: name,
    limit: `±${allowed} ${published[name].kind === "share" ? "pp" : "%"}`,
    check: (findings) => {
      const worst = shares.map((follow) => shift(name, findings, follow)).sort((a, b) => Math.abs(b) - Math.abs(a))[0]
      return { value: signed(name, worst), met: Math.abs(worst) <= allowed }
    },
  }
}

function printShifts(findings: ReadonlyMap<string, Finding>): string {
  const lines = figureNames.map((name) => {
    const cells = shares.flatMap((follow) => [
      showFigure(name, Number(findings.get(caseOf(follow))?.[name])).padStart(13),
      signed(name, shift(name, findings, follow)).padStart(10),
    ])
    return `${name.padEnd(30)}${showFigure(name, Number(findings.get(plain)?.[name])).padStart(13)}${cells.join("")}`
  })
  const names = shares.map((follow) => caseOf(follow).padStart(13).padEnd(23))
  const head = ["".padEnd(30), plain.padStart(13), ...names].join("")
  return `${[head, ...lines].join("\n")}\n`
}

/** Checks that a log in which searches follow one another keeps the shape that the model was calibrated to. */
export const synthFollow: Bench = {
  name: "synth-follow",
  prepare: () => makeLog(rows),
  cases: [
    { name: plain, run: () => countFigures(logPath(rows)) },
    ...shares.map((follow) => ({ name: caseOf(follow), run: () => countFollowing(follow) })),
  ],
  print: printShifts,
  targets: figureNames.map(hardlyMoves),
}
