import { type ExposureHistory, type ExposureRecord, layerId } from "../personal/exposure-history.ts"
import { taxonomyStamp } from "../personal/taxonomy-stamp.ts"
import type { Taxonomy } from "../taxonomy/taxonomy.ts"
import { exposureRisk, parentPath, type RiskOf } from "./exposure-risk.ts"
import type { Check } from "./verifier.ts"

/** Rounding, not risk. */
const tolerance = 1e-9
const isOver = (value: number, bound: number) => value > bound * (1 + tolerance) + tolerance

/** A record with its place in the history, from 1, and the risk under the cost layer of its time, where that can be had. */
interface Replayed {
  row: number
  record: ExposureRecord
  riskOf: RiskOf | undefined
}

/**
 * Replays an exposure history with profile and cost layer as they were then, and checks what a person was promised about each
 * exposure and about all that an engine has seen. Uses neither the generalisers nor their metrics.
 */
export function verifyExposures({ taxonomy, history }: { taxonomy: Taxonomy; history: ExposureHistory }): Check[] {
  const stamp = taxonomyStamp(taxonomy)
  const risks = new Map<string, RiskOf>()
  for (const [id, layer] of history.layers)
    if (layer.taxonomy === stamp && layerId(layer) === id) risks.set(id, exposureRisk(taxonomy, layer))
  const replayed = history.records.map((record, i): Replayed => {
    return { record, row: i + 1, riskOf: risks.get(record.layer) }
  })
  return [
    checkLayers(replayed, history),
    checkTaxonomy(history, stamp),
    checkPaths(replayed, taxonomy),
    checkRooted(replayed),
    checkRisk(replayed),
    checkUnion(replayed, history),
  ]
}

function checkLayers(replayed: readonly Replayed[], { layers }: ExposureHistory): Check {
  const isWhole = ({ record }: Replayed) => {
    const layer = layers.get(record.layer)
    return layer !== undefined && layerId(layer) === record.layer
  }
  return judge("layers", "the cost layer of each exposure is kept as it was then", replayed, isWhole)
}

function checkTaxonomy({ layers }: ExposureHistory, stamp: string): Check {
  const others = [...layers.values()].filter(({ taxonomy }) => taxonomy !== stamp).length
  return {
    name: "taxonomy",
    promise: "the taxonomy is the one of each exposure",
    state: others === 0 ? "holds" : "unchecked",
    ...(others > 0 && { detail: `${others} of ${layers.size} cost layers are of another taxonomy` }),
  }
}

function checkPaths(replayed: readonly Replayed[], taxonomy: Taxonomy): Check {
  const isPlain = ({ record: { exposed } }: Replayed) => {
    const paths: readonly unknown[] = exposed
    const isTopic = (path: unknown) => typeof path === "string" && taxonomy.find(path) >= 0
    return paths.every(isTopic) && new Set(paths).size === paths.length
  }
  return judge("paths-only", "an exposure is paths of topics, each once, and no supports", replayed, isPlain)
}

/** Rooted: with a topic everything above it. Of the seed profile: all lies on the way to a relevant topic of the profile. */
function checkRooted(replayed: readonly Replayed[]): Check {
  const isRooted = ({ record: { exposed, relevant } }: Replayed) => {
    const shown = new Set(exposed)
    const seed = new Set<string>()
    for (const { path, support } of relevant)
      for (let at: string | undefined = path; support > 0 && at !== undefined; at = parentPath(at)) seed.add(at)
    return exposed.every((path) => seed.has(path) && (path === "" || shown.has(parentPath(path) ?? "")))
  }
  return judge("rooted", "an exposure is a rooted part of what the query asks of the profile", replayed, isRooted)
}

function checkRisk(replayed: readonly Replayed[]): Check {
  const measured = replayed.map(({ record, row, riskOf }) => {
    return { row, value: riskOf?.(record.exposed), bound: record.delta }
  })
  return judgeBounds("risk", "the risk of each exposure is at most its δ", measured)
}

/** The union up to each exposure, under the cost layer and the bound of its time. */
function checkUnion(replayed: readonly Replayed[], { deleted }: ExposureHistory): Check {
  const unions = new Map<string, Set<string>>()
  const measured = replayed.map(({ record, row, riskOf }) => {
    const { engine, session, exposed, sessionDelta } = record
    const key = JSON.stringify([engine, session])
    const seen = unions.get(key) ?? new Set<string>()
    for (const path of exposed) seen.add(path)
    unions.set(key, seen)
    // What was shown before may have become sensitive since; nothing more was shown then.
    return { row, value: exposed.length === 0 ? 0 : riskOf?.(seen), bound: sessionDelta }
  })
  const check = judgeBounds("union", "what an engine has seen in a session is at most at the session's δ", measured)
  const gone = [...deleted.values()].reduce((sum, count) => sum + count, 0)
  if (gone === 0 || check.state === "fails") return check
  const detail = `holds for what is kept; ${gone} exposures were deleted, which the engines saw too`
  return { ...check, state: "unchecked", detail }
}

function judge(
  name: string,
  promise: string,
  replayed: readonly Replayed[],
  holds: (replayed: Replayed) => boolean,
): Check {
  const wrong = replayed.find((one) => !holds(one))
  return wrong === undefined
    ? { name, promise, state: "holds", value: replayed.length, detail: "exposures" }
    : { name, promise, state: "fails", row: wrong.row }
}

/** Fails at the first that is over its bound; else says which came nearest. */
function judgeBounds(
  name: string,
  promise: string,
  measured: readonly { row: number; value: number | undefined; bound: number }[],
): Check {
  let nearest: { row: number; value: number; bound: number } | undefined
  let unknown = 0
  for (const { row, value, bound } of measured) {
    if (value === undefined) unknown++
    else if (isOver(value, bound)) return { name, promise, state: "fails", row, value, bound }
    else if (nearest === undefined || value - bound > nearest.value - nearest.bound) nearest = { row, value, bound }
  }
  const state = unknown > 0 ? "unchecked" : "holds"
  return { name, promise, state, ...nearest, ...(unknown > 0 && { detail: `${unknown} could not be replayed` }) }
}
