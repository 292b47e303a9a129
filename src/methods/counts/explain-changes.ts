import { type Change, moreUsers, outcomeOf } from "../explanation.ts"
import { planMode } from "./open-mode.ts"
import type { CountsOptions } from "./options.ts"
import { type Mechanism, planApproximate } from "./plan-mechanisms.ts"
import { type CountsSubject, chanceOfQuery, type QueryChance } from "./query-chance.ts"

/** Chances that a change should reach. */
const targets = [0.5, 0.95]
const [largestEpsilon, largestDelta] = [100, 0.1]

const prices = {
  epsilon: "A larger ε is a weaker promise to every user, and costs more of the budget.",
  delta: "With a chance of δ, some user may be shown. Keep δ well below 1 in 10 times the number of users.",
  minUsers: "Queries of fewer users may be shown.",
  cutoff: "More rare queries are shown. The paper's mode promises nothing.",
  threshold: "More public keys are shown by noise alone.",
}

const atLeast = (target: number) => `For a chance of at least ${target}.`

/** Changes that would show the query with a chance of at least 0.5, and of at least 0.95. */
export function changeCounts(
  subject: CountsSubject,
  { options, mechanism, chance }: { options: CountsOptions; mechanism: Mechanism; chance: QueryChance },
): Change[] {
  const { lists, counted, isPublic, frequency } = subject
  if (mechanism.keys === "public" && !isPublic) return []
  const chanceAt = (set: Partial<CountsOptions>) =>
    chanceOfQuery(planMode({ ...options, ...set }, lists, planApproximate).mechanisms[0], subject).low
  const changes: Change[] = []
  const add = (set: Change["options"], reached: number, price: string) =>
    changes.push({ ...outcomeOf(reached), options: { ...set, chosenOnData: true }, smallest: true, price })
  const scan = (key: "epsilon" | "delta", values: readonly string[]) => {
    let least = chance.low
    for (const target of targets.filter((one) => chance.low < one)) {
      if (least >= target) continue
      const found = values.find((value) => chanceAt({ [key]: value }) >= target)
      if (found === undefined) return
      least = chanceAt({ [key]: found })
      add({ [key]: found }, least, `${atLeast(target)} ${prices[key]}`)
    }
  }
  if (options.mode !== "paper") scan("epsilon", gridAbove(options.epsilon, { digits: 2, most: largestEpsilon }))
  if (options.mode === "approximate" || options.mode === "korolova")
    scan("delta", gridAbove(options.delta, { digits: 1, most: largestDelta }))
  if (chance.low >= targets[0]) return changes
  const { users, total } = counted.most
  if (options.mode === "approximate" && !isPublic && !counted.isRandom && users > 0 && users < options.minUsers) {
    const reached = chanceAt({ minUsers: users })
    if (reached >= targets[0]) add({ minUsers: users }, reached, `${atLeast(0.5)} ${prices.minUsers}`)
  }
  const count = total + frequency
  // P(X ≥ 0) is more than one half, and P(X ≥ 1) is less.
  if (options.mode === "paper" && counted.removed === undefined && count >= 1)
    add({ cutoff: count - 1 }, chanceAt({ cutoff: count - 1 }), `${atLeast(0.5)} ${prices.cutoff}`)
  if (options.mode === "pure" && !counted.isRandom && count >= 1)
    add({ threshold: count }, chanceAt({ threshold: count }), `${atLeast(0.5)} ${prices.threshold}`)
  return [...changes, ...askForUsers(subject, { options, mechanism })]
}

/**
 * How many more users bring the count to the threshold. The chance is then more than one half; with one user less it is
 * not.
 */
function askForUsers(
  { counted, isPublic, frequency }: CountsSubject,
  { options, mechanism }: { options: CountsOptions; mechanism: Mechanism },
): Change[] {
  const threshold = mechanism.selection?.threshold ?? mechanism.threshold
  if (threshold === undefined || counted.isRandom || options.mode === "paper") return []
  const { users, total } = counted.most
  const missing = threshold - total - frequency
  const short = isPublic ? 0 : Math.max(1, mechanism.minUsers) - users
  const more = Math.max(missing, short)
  const after = { users: users + more, total: total + more }
  const reached = chanceOfQuery(mechanism, {
    counted: { least: after, most: after, isRandom: false, drawn: [] },
    isPublic,
    frequency,
  })
  return [
    { ...outcomeOf(reached.low), options: {}, users: more, smallest: true, price: `${atLeast(0.5)} ${moreUsers}` },
  ]
}

/** Decimal numbers above a value with this many digits, ascending. */
function gridAbove(text: string | undefined, { digits, most }: { digits: number; most: number }): string[] {
  const value = Number(text ?? 0)
  if (!(value > 0)) return []
  const values: string[] = []
  const first = 10 ** (digits - 1)
  for (let power = Math.floor(Math.log10(value)) - digits; values.length < 1000; power++) {
    for (let lead = first; lead < first * 10; lead++) {
      const one = Number(`${lead}e${power}`)
      if (one > most) return values
      if (one > value) values.push(String(one))
    }
  }
  return values
}
