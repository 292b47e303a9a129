import { type ExposureHistory, layerId } from "../personal/exposure-history.ts"
import { taxonomyStamp } from "../personal/taxonomy-stamp.ts"
import type { Taxonomy } from "../taxonomy/taxonomy.ts"
import { exposureRisk, parentPath } from "./exposure-risk.ts"
import { checkLifetime, checkNever, checkQueries } from "./lifetime.ts"
import {
  type GrowingUnion,
  judge,
  judgeBounds,
  type Measured,
  type Replayed,
  type ReplayedLayer,
  unionOf,
} from "./replayed.ts"
import type { Check } from "./verifier.ts"

/**
 * Replays an exposure history with the profile and cost layer of each time. Checks what the person was promised about
 * each exposure and about everything that an engine has seen, in one session (the proxy's is a day) and ever. Uses
 * neither the generalisers nor their metrics.
 */
export function verifyExposures({ taxonomy, history }: { taxonomy: Taxonomy; history: ExposureHistory }): Check[] {
  const stamp = taxonomyStamp(taxonomy)
  const layers = new Map<string, ReplayedLayer>()
  for (const [id, copy] of history.layers) {
    if (copy.taxonomy !== stamp || layerId(copy) !== id) continue
    const all = { sensitive: [...copy.sensitive, ...(copy.gone ?? [])] }
    layers.set(id, { copy, riskOf: exposureRisk(taxonomy, copy), lifetimeRiskOf: exposureRisk(taxonomy, all) })
  }
  const replayed = history.records.map((record, i): Replayed => {
    return { record, row: i + 1, layer: layers.get(record.layer) }
  })
  return [
    checkLayers(replayed, history),
    checkTaxonomy(history, stamp),
    checkPaths(replayed, taxonomy),
    checkRooted(replayed),
    checkNever(replayed),
    checkRisk(replayed),
    checkUnion(replayed, history),
    checkLifetime(replayed, history.accounts),
    checkQueries(replayed),
  ]
}

function checkLayers(replayed: readonly Replayed[], { layers }: ExposureHistory): Check {
  const isWhole = ({ record }: Replayed) => {
    const layer = layers.get(record.layer)
    return layer !== undefined && layerId(layer) === record.layer
  }
  return judge("layers", "the cost layer of each exposure is stored unchanged", replayed, isWhole)
}

function checkTaxonomy({ layers }: ExposureHistory, stamp: string): Check {
  const others = [...layers.values()].filter(({ taxonomy }) => taxonomy !== stamp).length
  return {
    name: "taxonomy",
    promise: "the taxonomy is the one that each exposure used",
    state: others === 0 ? "passed" : "not checked",
    ...(others > 0 && { detail: `${others} of ${layers.size} cost layers are of another taxonomy` }),
  }
}

function checkPaths(replayed: readonly Replayed[], taxonomy: Taxonomy): Check {
  const isPlain = ({ record: { exposed } }: Replayed) => {
    const paths: readonly unknown[] = exposed
    const isTopic = (path: unknown) => typeof path === "string" && taxonomy.find(path) >= 0
    return paths.every(isTopic) && new Set(paths).size === paths.length
  }
  return judge("paths-only", "an exposure has paths of topics, each once, and no supports", replayed, isPlain)
}

/**
 * Checks two things. Rooted: the ancestors of an exposed topic are exposed too. Part of the seed profile: every exposed
 * topic is on the path to a relevant topic of the profile.
 */
function checkRooted(replayed: readonly Replayed[]): Check {
  const isRooted = ({ record: { exposed, relevant } }: Replayed) => {
    const shown = new Set(exposed)
    const seed = new Set<string>()
    for (const { path, support } of relevant)
      for (let at: string | undefined = path; support > 0 && at !== undefined; at = parentPath(at)) seed.add(at)
    return exposed.every((path) => seed.has(path) && (path === "" || shown.has(parentPath(path) ?? "")))
  }
  return judge("rooted", "an exposure is a rooted part of the profile that the query asks for", replayed, isRooted)
}

function checkRisk(replayed: readonly Replayed[]): Check {
  const measured = replayed.map(({ record, row, layer }): Measured => {
    const isCounted = layer === undefined || layer.copy.sensitive.length > 0
    return { row, value: isCounted ? layer?.riskOf(record.exposed) : null, bound: record.delta }
  })
  return judgeBounds("risk", "the risk of each exposure is at most its δ", measured)
}

/** Checks the union up to each exposure, under the cost layer and the bound of its time. */
function checkUnion(replayed: readonly Replayed[], { deleted }: ExposureHistory): Check {
  const unions = new Map<string, GrowingUnion>()
  const measured = replayed.map(({ record, row, layer }): Measured => {
    const { engine, session, exposed, sessionDelta } = record
    const key = JSON.stringify([engine, session])
    const seen = unionOf(unions, key)
    seen.add(exposed)
    // Empty exposures are skipped: they show nothing more, though what was shown before may have become sensitive
    // since.
    const isCounted = exposed.length > 0 && (layer === undefined || layer.copy.sensitive.length > 0)
    return { row, value: isCounted ? layer && seen.risk(layer.riskOf) : null, bound: sessionDelta }
  })
  const check = judgeBounds("union", "the risk of what an engine saw in a session is at most the session's δ", measured)
  const gone = [...deleted.values()].reduce((sum, count) => sum + count, 0)
  if (gone === 0 || check.state === "failed") return check
  const detail = `no stored exposure fails; ${gone} exposures were deleted, which the engines saw too`
  return { ...check, state: "not checked", detail }
}
