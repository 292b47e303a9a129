import { Type } from "#typebox"
import { hasQueries, type ReleaseProbe } from "../probes/probe.ts"
import { labelAlone } from "../probes/score.ts"
import { judgements, judgeQueries } from "./judge-queries.ts"
import { markReleased } from "./mark-released.ts"

const options = Type.Object({})

/** The values of β in Fig. 6 of Carpineto & Romano 2015. */
export const betas = [1, 0.1] as const

/**
 * A release seen as a search for the safe queries. Undefined if no judged query is released, since precision is then
 * undefined, or if no query is judged safe.
 */
export interface Retrieval {
  precision: number
  recall: number
  /** The number of judged queries that are released. */
  released: number
  safe: number
}

export function judgeRelease(released: ArrayLike<number>, judged: Uint8Array): Retrieval | undefined {
  let [safe, found, all] = [0, 0, 0]
  for (let query = 0; query < judged.length; query++) {
    if (judged[query] === judgements.unknown) continue
    if (judged[query] === judgements.safe) safe++
    if (released[query] !== 1) continue
    all++
    if (judged[query] === judgements.safe) found++
  }
  return all === 0 || safe === 0 ? undefined : { precision: found / all, recall: found / safe, released: all, safe }
}

/** The weighted harmonic mean of precision and recall. Carpineto & Romano 2015, eq. 5. */
export function fBeta({ precision, recall }: Pick<Retrieval, "precision" | "recall">, beta: number): number {
  const weight = beta * beta
  return precision + recall === 0 ? 0 : ((weight + 1) * precision * recall) / (weight * precision + recall)
}

/** How well a release finds the safe queries and leaves out the sensitive ones. Carpineto & Romano 2015, §4.3. */
export const fBetaMeasure: ReleaseProbe<typeof options> = {
  name: "f-beta",
  looksAt: "any",
  summary: "how well the safe queries are released and the sensitive ones not (needs --labels or --truth)",
  options,
  label: labelAlone,
  applies: (subject) =>
    subject.labels === undefined && subject.truth === undefined
      ? "needs judged queries (--labels FILE), or what was planted (--truth DIR)"
      : hasQueries(subject),
  async run(subject, _options, context) {
    const { release, log } = subject
    const judged = judgeQueries(log, subject) ?? new Uint8Array(log.queries.size)
    const released = await markReleased(log, release, context)
    const found = judgeRelease(released, judged)
    const original = judgeRelease(new Uint8Array(judged.length).fill(1), judged)
    // No judged query is released: all safe queries are lost, and no sensitive query is shown.
    const { precision, recall } = found ?? { precision: 1, recall: 0 }
    const scores = [
      { score: "precision", value: precision, n: found?.released ?? 0, baseline: original?.precision ?? 0 },
      { score: "recall", value: recall, n: original?.safe ?? 0, baseline: 1 },
      ...betas.map((beta) => ({
        score: "f",
        at: { beta },
        value: fBeta({ precision, recall }, beta),
        n: original?.released ?? 0,
        baseline: original === undefined ? 0 : fBeta(original, beta),
      })),
    ]
    return scores.map((score) => ({ ...score, better: "higher" }))
  },
}
