import { attacks } from "../../attacks/registry.ts"
import type { AnyProbe } from "../../probes/probe.ts"
import type { ProbeOutcome } from "../../probes/run-probes.ts"
import { scoresOf } from "../../probes/run-probes.ts"
import type { LogRelation } from "../../release/receipt.ts"
import { describeMeaning } from "./attack-meanings.ts"
import { type JudgedAttacks, type JudgedScore, judgeAttacks } from "./judge-attacks.ts"
import { counted } from "./words.ts"

/** The default accepted risk: the largest gain over a guess that is acceptable. */
export const defaultRisk = 0.1

/** The possible verdicts on what attacks found. */
export const attackStates = ["nothing above chance", "above chance", "over the accepted risk", "not attacked"] as const

/** The second verdict of a report: what attacks found despite the promise. */
export interface AttackVerdict {
  state: (typeof attackStates)[number]
  /** How many attacks gained more than chance, and which was the worst. */
  sentence: string
  /** Why the verdict is weaker than it looks: attacks that did not run, or a different log. */
  caveats: readonly string[]
  /** What the worst attacks mean for a person in the log. The worst is first; at most three. */
  meanings: readonly string[]
  acceptedRisk: number
  /** The number of attacks that ran and could be judged, and how many of them gained more than chance. */
  ran: number
  above: number
  /** The number of attacks that exist. */
  known: number
  /** The score with the largest gain among those above chance. */
  worst?: { attack: string; name: string; value: number; chance: number; gain: number; low: number; high: number }
}

/** What was attacked, and how. */
export interface VerdictOptions {
  acceptedRisk?: number | undefined
  /** How the log relates to the log of the receipt; undefined if they were not compared. */
  relation?: LogRelation | undefined
  /** True if the release shows nothing. */
  isEmpty?: boolean
  all?: readonly AnyProbe[]
}

/** True if results against this log say nothing about the release. */
export const isForeign = (relation: LogRelation | undefined) => relation === "other" || relation === "alike"

export const foreignSentence = "Judged against another log than the release was made from."

/**
 * Judges all scores of all attacks. The verdict is "nothing above chance" only if the interval of every score reaches
 * chance.
 */
export function attackVerdict(outcomes: readonly ProbeOutcome[], options: VerdictOptions = {}): AttackVerdict {
  const { acceptedRisk = defaultRisk, relation, isEmpty = false, all = attacks } = options
  const judged = judgeAttacks(outcomes, all)
  const above = judged.ran.filter(({ worst }) => worst.gain.isAbove)
  const worst = above[0]?.worst
  const isOver = worst !== undefined && worst.gain.value > acceptedRisk
  const state = stateOf({ isAbove: worst !== undefined, isOver, ran: judged.ran.length, isEmpty, relation })
  const scores = scoresOf(outcomes)
  return {
    state,
    sentence: sentenceOf(judged, {
      state,
      worst,
      above: above.length,
      acceptedRisk,
      isEmpty,
      isDefault: options.acceptedRisk === undefined,
    }),
    caveats: [...(isForeign(relation) ? [foreignSentence] : []), ...missingOf(judged)],
    meanings: above.slice(0, 3).map((attack) => describeMeaning(attack.worst, { scores, probes: all })),
    acceptedRisk,
    ran: judged.ran.length,
    above: above.length,
    known: new Set([...all.map(({ name }) => name), ...outcomes.map(({ probe }) => probe)]).size,
    ...(worst && { worst: describeWorst(worst) }),
  }
}

interface AttackFindings {
  isAbove: boolean
  isOver: boolean
  ran: number
  isEmpty: boolean
  relation: LogRelation | undefined
}

function stateOf({ isAbove, isOver, ran, isEmpty, relation }: AttackFindings): AttackVerdict["state"] {
  if (isOver) return "over the accepted risk"
  if (isAbove) return "above chance"
  return ran === 0 || isEmpty || isForeign(relation) ? "not attacked" : "nothing above chance"
}

interface Summary extends Pick<AttackVerdict, "state" | "above" | "acceptedRisk"> {
  worst: JudgedScore | undefined
  isEmpty: boolean
  isDefault: boolean
}

function sentenceOf(
  { ran }: JudgedAttacks,
  { state, worst, above, acceptedRisk, isEmpty, isDefault }: Summary,
): string {
  if (worst !== undefined) {
    const { score, gain } = worst
    const side = state === "over the accepted risk" ? "over" : "within"
    const accepted = `${side} the accepted risk of ${acceptedRisk}${isDefault ? " (default)" : ""}`
    const many = `${above} of ${ran.length} ${ran.length === 1 ? "attack" : "attacks"} that ran gained more than chance`
    const gained = `a gain of ${gain.value.toFixed(2)} (0 is a guess, 1 is always right)`
    return `${many}. The worst is ${score.name}: ${gained}, ${accepted}.`
  }
  if (ran.length === 0) return "No attack was made, so it is not known what attackers would find."
  const many = ran.length === 1 ? "One attack ran, and it" : `${ran.length} attacks ran, and none of them`
  const found = `${many} gained ${ran.length === 1 ? "no more" : "more"} than chance.`
  if (isEmpty) return `${found} The release is empty: there was nothing to attack.`
  const widest = ran
    .flatMap(({ scores }) => scores)
    .reduce<JudgedScore | undefined>((most, next) => (next.gain.high > (most?.gain.high ?? 0) ? next : most), undefined)
  if (widest === undefined) return found
  const most = `${widest.gain.high.toFixed(2)} (${widest.score.name}${casesOf(widest)})`
  return `${found} A gain of up to ${most} is still possible, by the 95 % intervals.`
}

const casesOf = ({ score: { n } }: JudgedScore) => (n === undefined ? "" : `, ${counted(n, "case")}`)

/** `3 of 9 attacks could not run: linkage, …` */
function missingOf({ ran, couldNotRun, notAsked }: JudgedAttacks): string[] {
  const known = ran.length + couldNotRun.length + notAsked.length
  const say = (names: readonly string[], what: string) =>
    names.length === 0 ? [] : [`${names.length} of ${known} attacks ${what}: ${names.join(", ")}.`]
  return [
    ...say(
      couldNotRun.map(({ probe }) => probe),
      "could not run",
    ),
    ...say(notAsked, notAsked.length === 1 ? "was not run" : "were not run"),
  ]
}

const describeWorst = ({ score, gain }: JudgedScore): NonNullable<AttackVerdict["worst"]> => ({
  attack: score.probe,
  name: score.name,
  value: score.value,
  chance: gain.chance,
  gain: gain.value,
  low: gain.low,
  high: gain.high,
})
