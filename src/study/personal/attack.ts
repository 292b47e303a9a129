import { eavesdrop } from "../../attacks/eavesdropper/eavesdropper.ts"
import { seededRandom } from "../../kernels/random.ts"
import { wholeSeed } from "../../personal/generalise.ts"
import { discriminatingPower } from "../../personal/metrics.ts"
import { exposureRisk, riskOf, riskOfShown, sessionRisk } from "../../personal/risk.ts"
import { seedProfile } from "../../personal/seed-profile.ts"
import { generaliseTree } from "../../personal/tree/generalise-tree.ts"
import type { TableData } from "../study.ts"
import { type MadeUpUser, makeUser, type World } from "./world.ts"

/** What an eavesdropper learns in a session of each person, with a bound on each query and with one on the session too. */
export function measureAttack(world: World, options: { users: number; interests: number; delta: number }): TableData {
  const { users, delta } = options
  const sums = new Map<string, number>()
  for (let number = 0; number < users; number++) {
    const user = makeUser(world, number, options)
    for (const bound of ["query", "session"] as const) {
      const { overheard, risks, powers, union } = exposeSession(user, { delta, bound })
      const victim = { taxonomy: world.taxonomy, sensitive: user.sensitive }
      const scores = eavesdrop(victim, overheard, { games: 200, random: seededRandom(number) })
      const found = Object.fromEntries(scores.map(({ name, value }) => [name.replace("eavesdropper/", ""), value]))
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
        sums.set(key, (sums.get(key) ?? 0) + value / users)
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

/** All that a person asks in one session, under δ each and, if wanted, under δ together. */
function exposeSession(user: MadeUpUser, options: { delta: number; bound: "query" | "session" }) {
  const { delta, bound } = options
  const seen = new Uint8Array(user.profile.size)
  const risks: number[] = []
  const powers: number[] = []
  const overheard = user.queries.map(({ relevant }) => {
    const pairs = Array.from(relevant.topic, (topic, i): [number, number] => [topic, relevant.probability[i] ?? 0])
    const seed = seedProfile(user.profile, relevant)
    if (seed === undefined) return { shown: [], relevant: pairs }
    const model = exposureRisk(seed, user.costs)
    const together = { model: sessionRisk(seed, user.costs, seen), delta }
    const { kept } = generaliseTree(seed, [{ model, delta }, ...(bound === "session" ? [together] : [])])
    risks.push(riskOf(seed, model, kept))
    const whole = discriminatingPower(seed, wholeSeed(seed))
    powers.push(kept[0] === 1 && whole > 0 ? discriminatingPower(seed, kept) / whole : 0)
    const nodes = [...seed.topic.keys()].filter((node) => kept[node] === 1)
    for (const node of nodes) seen[seed.origin[node] ?? 0] = 1
    return { shown: nodes.map((node) => seed.topic[node] ?? 0), relevant: pairs }
  })
  return { overheard, risks, powers, union: riskOfShown(user.costs, seen) }
}
