import type { ExposureHistory } from "../personal/exposure-history.ts"
import { isAtOrBelow } from "./late-marks.ts"
import { type GrowingUnion, isOver, judge, judgeBounds, type Measured, type Replayed, unionOf } from "./replayed.ts"
import type { Check } from "./verifier.ts"

/** Checks that no exposure has a topic that was marked never show at that time, or a topic below one. */
export function checkNever(replayed: readonly Replayed[]): Check {
  const isClean = ({ record, layer }: Replayed) =>
    !record.exposed.some((path) => layer?.copy.never?.some((above) => isAtOrBelow(path, above)))
  const check = judge("never", "no exposure has a topic that was marked never show", replayed, isClean)
  const unknown = replayed.filter(({ layer }) => layer === undefined).length
  if (check.state === "failed" || unknown === 0) return check
  return { ...check, state: "not checked", detail: `${unknown} could not be replayed` }
}

/**
 * Checks everything that an engine was ever shown, up to each exposure, under the marks and the bound of its time.
 * Topics in the engine's account that are in no kept exposure were shown by deleted ones, at a time that is no longer
 * known. With them, the risk is an upper bound.
 */
export function checkLifetime(replayed: readonly Replayed[], accounts: ExposureHistory["accounts"]): Check {
  const name = "lifetime"
  const promise = "the risk of everything that an engine was ever shown is at most the lifetime's δ"
  const incomplete = replayed.find(({ record: { engine, exposed } }) => {
    const account = accounts.shownTo(engine)
    return exposed.some((path) => !account.has(path))
  })
  if (incomplete !== undefined)
    return {
      name,
      promise,
      state: "failed",
      row: incomplete.row,
      detail: "the engine's account lacks what it was shown",
    }
  const deleted = deletedTopics(replayed, accounts)
  const unions = new Map<string, GrowingUnion>()
  const withDeleted = new Map<string, GrowingUnion>()
  let unsure = 0
  const measured = replayed.flatMap(({ record, row, layer }): Measured[] => {
    const { engine, exposed, lifetimeDelta: bound } = record
    const [seen, most] = [unionOf(unions, engine), unionOf(withDeleted, engine)]
    seen.add(exposed)
    most.add(exposed)
    most.add(deleted.get(engine) ?? [])
    if (bound === undefined || exposed.length === 0) return []
    if (layer === undefined) return [{ row, value: undefined, bound }]
    if (layer.copy.sensitive.length + (layer.copy.gone?.length ?? 0) === 0) return [{ row, value: null, bound }]
    if (isOver(most.risk(layer.lifetimeRiskOf), bound)) unsure++
    return [{ row, value: seen.risk(layer.lifetimeRiskOf), bound }]
  })
  const check = judgeBounds(name, promise, measured)
  if (check.state === "failed") return check
  const unbounded = replayed.filter(({ record }) => record.lifetimeDelta === undefined).length
  const unknown = [...accounts.unknown.values()].reduce((sum, count) => sum + count, 0)
  const doubts = [
    ...(unsure > 0 ? [`${unsure} pass only if what deleted exposures showed, at an unknown time, is left out`] : []),
    ...(unknown > 0 ? [`version 0.1 deleted ${unknown} exposures without keeping what they showed`] : []),
  ]
  const details = [
    ...(check.detail === undefined ? [] : [check.detail]),
    ...doubts,
    ...(unbounded > 0 ? [`${unbounded} are of version 0.1, which had no such bound; what they showed counts`] : []),
  ]
  return {
    ...check,
    state: doubts.length > 0 ? "not checked" : check.state,
    ...(details.length > 0 && { detail: details.join("; ") }),
  }
}

/** By engine: topics of its account that no kept exposure shows. */
function deletedTopics(replayed: readonly Replayed[], accounts: ExposureHistory["accounts"]): Map<string, string[]> {
  const kept = new Map<string, Set<string>>()
  for (const { record } of replayed) {
    const seen = kept.get(record.engine) ?? new Set<string>()
    for (const path of record.exposed) seen.add(path)
    kept.set(record.engine, seen)
  }
  return new Map(
    accounts.observers.map((engine) => [
      engine,
      [...accounts.shownTo(engine)].filter((path) => !kept.get(engine)?.has(path)),
    ]),
  )
}

/** Checks the same, including what queries revealed, if the person set a bound that counts it. */
export function checkQueries(replayed: readonly Replayed[]): Check {
  const unions = new Map<string, Set<string>>()
  const measured = replayed.flatMap(({ record, row, layer }): Measured[] => {
    const { engine, exposed, queryDelta: bound, told = [] } = record
    const seen = unions.get(engine) ?? new Set<string>()
    for (const path of exposed) seen.add(path)
    unions.set(engine, seen)
    if (bound === undefined) return []
    const isCounted = layer === undefined || layer.copy.sensitive.length + (layer.copy.gone?.length ?? 0) > 0
    return [{ row, value: isCounted ? layer?.lifetimeRiskOf(seen, told) : null, bound }]
  })
  const promise = "where queries count, the risk of what was shown and asked is at most the bound"
  const check = judgeBounds("queries", promise, measured)
  return measured.length === 0 ? { ...check, detail: "no bound that counts queries was set" } : check
}
