import { mkdirSync } from "node:fs"
import { expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import { computeFrontierPoint } from "#dist/study/frontier/point.js"
import { scratchFolder } from "../support/scratch-folder.ts"
import { synthLog } from "../support/synth-log.ts"

const { at, fresh } = scratchFolder()

/** Swapped users under every kind of name, tables, and rows of searchers. */
const points = [
  { method: "swap", k: 3, depth: "3" },
  { method: "swap", k: 3, depth: "3", users: "day" },
  { method: "swap", k: 3, depth: "3", users: "pseudonym" },
  { method: "equality", k: 3 },
  { method: "counts", epsilon: "8", delta: "1e-3" },
].map((point) => ({ ...point, targets: 50, discard: true }))

/** One line for each score, with all digits. */
async function scoreLines(file: string, shares: boolean): Promise<string> {
  const { log, intake } = await readLog(file, {}, createContext({ workers: 1 }))
  const folder = fresh()
  mkdirSync(folder)
  const lines: string[] = []
  for (const [i, point] of points.entries()) {
    const context = { ...createContext({ seed: 7, workers: 1 }), shares }
    const place = { folder, name: `point-${i}` }
    const { scores } = await computeFrontierPoint(point, { log, intake, place }, context)
    for (const { name, value, interval = [] } of scores)
      lines.push([point.method, String(point.users), name, value, ...interval].join("\t"))
  }
  return `${lines.join("\n")}\n`
}

test("points of one log that share what they prepare have the scores that they had alone", async () => {
  const file = at("log.tsv")
  await synthLog(file, { rows: 3000, users: 100, follow: 0.5 })
  const alone = await scoreLines(file, false)
  expect(await scoreLines(file, true)).toBe(alone)
  await expect(alone).toMatchFileSnapshot("fixtures/frontier-scores.tsv")
})
