import { Type } from "#typebox"
import type { RunContext } from "../../kernels/context.ts"
import { type Dictionary, dictionaryOf } from "../../kernels/dictionary.ts"
import { wilsonInterval } from "../../kernels/statistics/wilson-interval.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { hasQueries, type ReleaseProbe } from "../../probes/probe.ts"
import type { Finding } from "../../probes/score.ts"
import type { Release } from "../../release/read-release.ts"
import type { Truth } from "../../release/truth.ts"
import { findPatterns } from "./find-patterns.ts"

const options = Type.Object({})

/**
 * The adversary searches the release for what nobody should read. Planted secrets, if they are known: of the lines that
 * carry one, the share whose query text is in the release. Patterns, for any log: of the distinct queries in which an
 * identifier is found, and of their searches, the share whose text is in the release.
 */
export const secrets: ReleaseProbe<typeof options> = {
  name: "secrets",
  looksAt: "any",
  summary: "queries with an identifier, and planted secrets (with --truth), whose text survives in the release",
  options,
  applies: hasQueries,
  async run({ release, log, truth }, _options, context) {
    const released = await releasedQueries(release, context)
    const planted = truth === undefined ? [] : findPlanted(log, { truth, released })
    return [...planted, ...(await findPatterns(log, released, context))]
  },
}

/** The query texts that a release shows. */
async function releasedQueries(release: Release, context: RunContext): Promise<Dictionary> {
  if (release.kind === "rows") return (await release.log(context)).queries
  const texts = new Set<string>()
  for (const { columns } of Object.values(await release.tables(context))) {
    for (const column of columns) {
      if (!("ids" in column) || column.name === "url") continue
      for (const id of column.ids) texts.add(column.texts.text(id))
    }
  }
  return dictionaryOf([...texts])
}

/** Finds the text of a planted line in the original by its line number. */
function findPlanted(log: SearchLog, { truth, released }: { truth: Truth; released: Dictionary }): Finding[] {
  const kindOf = new Map(truth.secrets.map(({ line, kind }) => [line, kind]))
  const tally = new Map<string, { planted: number; survived: number }>()
  for (let row = 0; row < log.rows; row++) {
    const kind = kindOf.get(log.line[row])
    if (kind === undefined) continue
    const count = tally.get(kind) ?? { planted: 0, survived: 0 }
    count.planted++
    if (released.findBytes(log.queries.bytes(log.query[row])) >= 0) count.survived++
    tally.set(kind, count)
  }
  const kinds = [...tally].sort(([a], [b]) => (a < b ? -1 : 1))
  const all = kinds.reduce(
    (sum, [, count]) => ({ planted: sum.planted + count.planted, survived: sum.survived + count.survived }),
    { planted: 0, survived: 0 },
  )
  return [[undefined, all] as const, ...kinds].map(([kind, { planted, survived }]): Finding => {
    const value = planted === 0 ? 0 : survived / planted
    const about = { score: "secrets", ...(kind !== undefined && { at: { kind } }) }
    const interval = wilsonInterval(survived, planted)
    return { ...about, value, interval, n: planted, baseline: 1, chance: 0, better: "lower" }
  })
}
