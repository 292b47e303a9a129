import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "vitest"
import type { PointResult } from "#dist/study/study.js"
import { runCli } from "../support/run-cli.ts"

/** A small grid: eight points with the raw log. */
export const tried = {
  equality: { k: [2, 3, 4, 5, 6] },
  groups: { k: [2], delta: [0.25] },
  counts: { epsilon: [50], delta: "1e-3" },
}

const fixed = ["--targets", "30", "--use", "queries", "--json"]

/** Runs of `study frontier` over one log. */
export function frontierOf(log: string) {
  const argsOf = (folder: string, ...more: string[]) => ["study", "frontier", log, "-o", folder, ...fixed, ...more]

  /** How many points were computed, and how many existed. */
  async function study(folder: string, ...more: string[]): Promise<[number, number]> {
    const { code, stdout, stderr } = await runCli(argsOf(folder, ...more))
    expect([code, stderr]).toEqual([0, ""])
    const { computed, reused } = JSON.parse(stdout)
    return [computed, reused]
  }
  return { argsOf, study }
}

export const resultsOf = (folder: string): PointResult[] =>
  JSON.parse(readFileSync(join(folder, "study.json"), "utf8")).results
export const filesOf = (folder: string) => readdirSync(join(folder, "releases"))
export const pointsOf = (folder: string) =>
  readdirSync(join(folder, "points")).map((name) => name.slice(0, -".json".length))
export const numbersOf = (folder: string) =>
  resultsOf(folder).map(({ point, scores, tables }) => ({ point, scores, tables }))
