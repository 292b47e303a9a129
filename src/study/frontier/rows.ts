import { findScore } from "../../probes/score.ts"
import { findMethod } from "../../release/anonymize.ts"
import { type Check, checkStates, overall } from "../../verify/verifier.ts"
import { describeParameters } from "../figures/parameter-names.ts"
import type { Point, PointResult } from "../study.ts"
import { markFront } from "./pareto-front.ts"
import { parametersOf } from "./point.ts"
import { type Risk, riskOf } from "./risk.ts"
import { type RiskScore, riskScores, type UseName, useNames, uses } from "./scores.ts"

/** The one point that protects nobody. */
export const rawName = "raw log"

/** The value of a release for one use, next to the log's own value. */
export interface UseValue {
  value: number
  low: number
  high: number
  original?: number
}

/** A point as the page shows it. */
export interface FrontierRow {
  point: Point
  /** The name of the method, or `rawName`. */
  series: string
  parameters: string
  /** Method and parameters. */
  label: string
  risk?: Risk
  /** What the attacker behind the risk does, in words. */
  attacker: string
  uses: Partial<Record<UseName, UseValue>>
  /** State of all checks except randomness, which a seeded release cannot pass. */
  state: Check["state"]
  failed: string[]
  seconds: number
  report?: string
  refused?: string
  /** Why an attack or measure gave no result, by its name. */
  skipped: ReadonlyMap<string, string>
}

/** The points of a frontier as rows: their risk, their value for each use, and their files. */
export function readFrontier(results: readonly PointResult[]): FrontierRow[] {
  return results.map((result) => {
    const { point, scores, seconds = 0, refused, files = [], tables } = result
    const method = String(point.method)
    const isRaw = point.raw === true
    const parameters = isRaw ? "names replaced" : describeParameters(method, parametersOf(point))
    const checks = (tables?.checks?.rows ?? []).flatMap(([name, state]) =>
      isState(state) && name !== "randomness" ? [{ name: String(name), promise: "", state }] : [],
    )
    const kind = findMethod(method).releases ?? "rows"
    const risk = riskOf(scores, kind)
    const worst = riskScores[kind].find((key: RiskScore) => findScore(scores, key)?.name === risk?.attack)
    const report = files.find(({ path }) => path.endsWith(".report.html"))?.path
    return {
      point,
      series: isRaw ? rawName : method,
      parameters,
      label: isRaw ? `${rawName}, ${parameters}` : `${method}, ${parameters}`,
      ...(risk && { risk }),
      attacker: worst?.means ?? "",
      uses: readUses(scores),
      state: overall(checks),
      failed: checks.filter(({ state }) => state === "failed").map(({ name }) => name),
      seconds,
      ...(report && { report }),
      ...(refused && { refused }),
      skipped: new Map((tables?.skipped?.rows ?? []).map(([probe, reason]) => [String(probe), String(reason)])),
    }
  })
}

const isState = (value: unknown): value is Check["state"] => checkStates.some((state) => state === value)

function readUses(scores: PointResult["scores"]): FrontierRow["uses"] {
  return Object.fromEntries(
    useNames.flatMap((name) => {
      const score = findScore(scores, uses[name])
      if (score === undefined || !Number.isFinite(score.value)) return []
      const { value, interval: [low, high] = [value, value], baseline } = score
      return [[name, { value, low, high, ...(baseline === undefined ? {} : { original: baseline }) }]]
    }),
  )
}

/** A row that can be compared: it was attacked, and it has a value for this use. */
export interface Comparable {
  row: FrontierRow
  risk: Risk
  use: UseValue
  isOnFront: boolean
}

/** The rows with a risk and a value for this use, each marked if it is on the Pareto front. */
export function compareRows(rows: readonly FrontierRow[], name: UseName): Comparable[] {
  const found = rows.flatMap((row) => {
    const use = row.uses[name]
    return row.risk === undefined || use === undefined ? [] : [{ row, risk: row.risk, use }]
  })
  const sign = uses[name].better === "higher" ? 1 : -1
  const marks = markFront(found.map(({ risk, use }) => ({ risk: risk.value, use: sign * use.value })))
  return found.map((one, i) => ({ ...one, isOnFront: marks[i] ?? false }))
}
