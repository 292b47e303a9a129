import { Type } from "typebox"
import { wilsonInterval } from "../kernels/statistics/wilson-interval.ts"
import { hasQueries, type Probe, type Score } from "../release/probe.ts"

const options = Type.Object({})

/**
 * The adversary searches the release for what was never meant to be read: of the lines that carry a planted secret,
 * the share whose query text is in the release. A line's text is found in the original by its line number.
 */
export const secrets: Probe<typeof options> = {
  name: "secrets",
  summary: "planted secrets whose text survives in the release (needs --truth)",
  options,
  applies: (subject) => (subject.truth === undefined ? "needs the planted secrets (--truth DIR)" : hasQueries(subject)),
  async run({ release, log, truth }, _options, context) {
    const released = await release.log(context)
    const kindOf = new Map((truth?.secrets ?? []).map(({ line, kind }) => [line, kind]))
    const tally = new Map<string, { planted: number; survived: number }>()
    for (let row = 0; row < log.rows; row++) {
      const kind = kindOf.get(log.line[row])
      if (kind === undefined) continue
      const count = tally.get(kind) ?? { planted: 0, survived: 0 }
      count.planted++
      if (released.queries.findBytes(log.queries.bytes(log.query[row])) >= 0) count.survived++
      tally.set(kind, count)
    }
    const kinds = [...tally].sort(([a], [b]) => (a < b ? -1 : 1))
    const all = kinds.reduce(
      (sum, [, count]) => ({ planted: sum.planted + count.planted, survived: sum.survived + count.survived }),
      { planted: 0, survived: 0 },
    )
    return [["all", all] as const, ...kinds].map(([kind, { planted, survived }]): Score => {
      const value = planted === 0 ? 0 : survived / planted
      const name = kind === "all" ? "secrets" : `secrets/${kind}`
      return { name, value, interval: wilsonInterval(survived, planted), n: planted, baseline: 1, better: "lower" }
    })
  },
}
