import { type RunContext, yieldAndReport } from "../../kernels/context.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { histories } from "../../methods/counts/histories.ts"
import type { TransitionRule } from "../../methods/counts/transition-rule.ts"
import type { DpMechanism } from "../../methods/dp-guarantee.ts"
import type { Targets } from "./draw-targets.ts"
import { createChance, type ExactCount } from "./noise-chance.ts"
import { firstOf, isKeyTable, type KeyTable, keyName, keysOfPerson, secondOf } from "./person-keys.ts"
import type { ShownKeys } from "./shown-keys.ts"

/** What an adversary sees who knows everybody else's searches. */
export interface InformedView extends Targets {
  /** The log as the method reads it, with all users. */
  log: SearchLog
  shown: readonly ShownKeys[]
  mechanisms: readonly DpMechanism[]
  /** What counts for a user over the bound: their first keys, random keys or, as in the paper, their first searches. */
  bound: "first" | "random" | "searches"
  /** Which next searches are transitions. */
  rule: TransitionRule
  /** For each query, 1 if it is on the public list. */
  isPublic: Uint8Array
}

/** A key of a target: the probability that it counts, and how much it would add. */
interface OwnKey {
  target: number
  isIn: boolean
  key: number
  chance: number
  times: number
}

/** The log-likelihood ratio that means certainty, in place of infinity. */
const certain = 690
/** About e^−690; added to probabilities so that none is 0. */
const least = 1e-300

/**
 * For each target, the log-likelihood ratio of the noisy counts of their keys, with the target and without: Σ ln(P(what
 * is shown | n + w)/P(what is shown | n)), where n is the exact count of everybody else and w is what the target adds.
 *
 * An adversary who knows all searches knows which keys the bound keeps if it keeps the first. If it keeps random keys,
 * a key counts with probability ℓ₀/(number of keys). The ratio is then averaged over that key by key, and other users
 * count with their means. That is simpler than the best possible attack.
 */
export async function weighCounts(view: InformedView, context: RunContext): Promise<Float64Array> {
  const weights = new Float64Array(view.count)
  for (const [i, mechanism] of view.mechanisms.entries()) {
    await yieldAndReport(context, { stage: "weighing counts", done: i, total: view.mechanisms.length })
    const { table } = mechanism
    if (!isKeyTable(table)) continue
    const shown = view.shown.find((candidate) => candidate.table === table)?.counts
    const { own, counts } = countKeys(view, { mechanism, table })
    const chanceOf = createChance(mechanism)
    for (const { target, isIn, key, chance, times } of own) {
      if (!canBeShown(view, { mechanism, table, key })) continue
      const isPublic = mechanism.keys === "public" || (table === "queries" && view.isPublic[firstOf(key)] === 1)
      const count = counts.get(key) ?? { users: 0, total: 0 }
      const others = {
        users: Math.round(isIn ? count.users - chance : count.users),
        total: Math.round(isIn ? count.total - chance * times : count.total),
      }
      const noisy = shown?.get(key)
      const without = chanceOf(noisy, others, isPublic)
      const given = chanceOf(noisy, { users: others.users + 1, total: others.total + times }, isPublic)
      const isProof = noisy !== undefined && others.users === 0 && !isPublic // nobody else has the key
      weights[target] += isProof
        ? certain
        : Math.log((chance * given + (1 - chance) * without + least) / (without + least))
    }
  }
  return weights
}

/**
 * Clicks and transitions are shown only among released queries. If keys are public, only queries on the list are shown.
 */
function canBeShown(
  { shown, isPublic }: InformedView,
  { mechanism, table, key }: { mechanism: DpMechanism; table: KeyTable; key: number },
): boolean {
  if (table === "queries") return mechanism.keys === "log" || isPublic[firstOf(key)] === 1
  const queries = shown.find((candidate) => candidate.table === "queries")?.counts
  const isShown = (query: number) => queries?.has(keyName(query, 0)) ?? false
  return isShown(firstOf(key)) && (table === "clicks" || isShown(secondOf(key)))
}

/** The keys of the targets in one table, and what the remaining users add to each of these keys. */
function countKeys(
  { log, isOut, targetOf, bound, rule }: InformedView,
  { mechanism, table }: { mechanism: DpMechanism; table: KeyTable },
): { own: OwnKey[]; counts: Map<number, ExactCount> } {
  const { l0, perKey } = mechanism
  const own: OwnKey[] = []
  const counts = new Map<number, ExactCount>()
  const eachKey = (each: (user: number, key: number, chance: number, times: number) => void) => {
    for (const history of histories(log)) {
      const keys = keysOfPerson(log, history, { table, rule, firstOnly: bound === "searches" ? l0 : undefined })
      let place = 0
      for (const [key, times] of keys) {
        const chance = bound === "random" ? Math.min(1, l0 / keys.size) : place++ < l0 ? 1 : 0
        if (chance > 0) each(history.user, key, chance, Math.min(times, perKey))
      }
    }
  }
  eachKey((user, key, chance, times) => {
    if (targetOf[user] < 0) return
    own.push({ target: targetOf[user], isIn: isOut[user] === 0, key, chance, times })
    counts.set(key, { users: 0, total: 0 })
  })
  eachKey((user, key, chance, times) => {
    const count = isOut[user] === 0 ? counts.get(key) : undefined
    if (count === undefined) return
    count.users += chance
    count.total += chance * times
  })
  return { own, counts }
}
