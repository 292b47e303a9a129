import { eavesdrop } from "../../attacks/eavesdropper/eavesdropper.ts"
import { seededRandom } from "../../kernels/random.ts"
import { forbidSensitive } from "../../personal/forbid-sensitive.ts"
import { wholeSeed } from "../../personal/generalise.ts"
import { discriminatingPower } from "../../personal/metrics.ts"
import { exposureRisk, riskOf, riskOfShown, sessionRisk } from "../../personal/risk.ts"
import { seedProfile } from "../../personal/seed-profile.ts"
import { generaliseTree } from "../../personal/tree/generalise-tree.ts"
import type { TableData } from "../study.ts"
import { algorithms } from "./algorithms.ts"
import { applyDecision, type DecisionOptions } from "./decide.ts"
import type { Person } from "./person.ts"
import type { World } from "./world.ts"

/**
 * What bounds an exposure: δ for each query, δ for the session too, or only the rule that sensitive topics are left out
 * (§3.2).
 */
const bounds = ["query", "session", "forbidding"] as const

interface AttackOptions extends DecisionOptions {
  delta: number
  algorithm: string
}

/** What an eavesdropper learns from one session of each person, by the bound on exposures. */
export function measureAttack(world: World, people: readonly Person[], options: AttackOptions): TableData {
  const { delta } = options
  const sums = new Map<string, number>()
  for (const person of people) {
    for (const bound of bounds) {
      const { overheard, risks, powers, union } = exposeSession(world, person, { ...options, bound })
      const victim = { taxonomy: world.taxonomy, sensitive: person.sensitive }
      const scores = eavesdrop(victim, overheard, { games: 200, random: seededRandom(person.number) })
      const found = Object.fromEntries(scores.map(({ score, value }) => [score, value]))
      const before = scores[0]?.baseline ?? 0
      const values: [scope: string, score: string, value: number | undefined][] = [
        ["one query", "risk", meanOf(risks)],
        ["one query", "recovered", found.recovered],
        ["one query", "with the query", found["recovered-query"]],
        ["one query", "before any", before],
        ["session", "risk", union],
        ["session", "recovered", found["recovered-session"]],
        ["session", "with the query", found["recovered-session-query"]],
        ["session", "before any", before],
        ["session", "guessed one", found.guessed],
        ["utility", "DP kept", meanOf(powers)],
      ]
      for (const [scope, score, value = 0] of values) {
        const key = JSON.stringify([bound, scope, score])
        sums.set(key, (sums.get(key) ?? 0) + value / people.length)
      }
    }
  }
  const rows = [...sums].map(([key, value]) => {
    const [bound, scope, score]: [string, string, string] = JSON.parse(key)
    return [bound, scope, score, delta, value]
  })
  return { columns: ["bound", "scope", "score", "delta", "value"], rows }
}

const meanOf = (values: readonly number[]) =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

/** Exposes the profile for all queries of a person, as one session. */
function exposeSession(world: World, person: Person, options: AttackOptions & { bound: (typeof bounds)[number] }) {
  const { delta, bound } = options
  const generalise = algorithms[options.algorithm] ?? generaliseTree
  const seen = new Uint8Array(person.profile.size)
  const risks: number[] = []
  const powers: number[] = []
  const overheard = person.queries.map((query) => {
    const { relevant } = query
    const pairs = Array.from(relevant.topic, (topic, i): [number, number] => [topic, relevant.probability[i] ?? 0])
    const seed = seedProfile(person.profile, relevant)
    if (seed === undefined) {
      risks.push(0)
      return { shown: [], relevant: pairs }
    }
    const model = exposureRisk(seed, person.costs)
    const together = { model: sessionRisk(seed, person.costs, seen), delta }
    const kept =
      bound === "forbidding"
        ? forbidSensitive(seed, person.costs)
        : applyDecision(
            world,
            { person, query, seed },
            generalise(seed, [{ model, delta }, ...(bound === "session" ? [together] : [])]).kept,
            options,
          )
    risks.push(riskOf(seed, model, kept))
    const whole = discriminatingPower(seed, wholeSeed(seed))
    powers.push(kept[0] === 1 && whole > 0 ? discriminatingPower(seed, kept) / whole : 0)
    const nodes = [...seed.topic.keys()].filter((node) => kept[node] === 1)
    for (const node of nodes) seen[seed.origin[node] ?? 0] = 1
    return { shown: nodes.map((node) => seed.topic[node] ?? 0), relevant: pairs }
  })
  return { overheard, risks, powers, union: riskOfShown(person.costs, seen) }
}
