import { Type } from "#typebox"
import type { Dictionary } from "../kernels/dictionary.ts"
import { hasQueries, type Probe } from "../probes/probe.ts"
import { labelAlone } from "../probes/score.ts"

const options = Type.Object({})

/**
 * Percentage of suppression, Hong et al. 2009, §4.2: p = (N - N') / N, where N is the number of distinct queries, or
 * urls, of the log's rows with a click, and N' the number of them that the release shows. Given as a share, not in
 * percent.
 */
export const uniqueSuppressed: Probe<typeof options> = {
  name: "unique-suppressed",
  summary: "share of the distinct queries and urls of clicks that are not in the release",
  options,
  label: labelAlone,
  applies: (subject) => {
    if (!subject.release.manifest.columns.includes("ClickURL")) return "the release shows no urls"
    return subject.log.urls.size === 0 ? "the log has no clicks" : hasQueries(subject)
  },
  async run({ release, log }, _options, context) {
    const released = await release.log(context)
    const clicked = { queries: new Uint8Array(log.queries.size), urls: new Uint8Array(log.urls.size) }
    for (let row = 0; row < log.rows; row++) {
      if (log.url[row] < 0) continue
      clicked.queries[log.query[row]] = 1
      clicked.urls[log.url[row]] = 1
    }
    return (["queries", "urls"] as const).map((part) => {
      const n = clicked[part].reduce((sum, one) => sum + one, 0)
      const value = n === 0 ? 0 : 1 - countShown(clicked[part], log[part], released[part]) / n
      return { score: `suppressed-${part}`, value, n, baseline: 0, better: "lower" as const }
    })
  },
}

/** The number of marked texts that are in the release. */
function countShown(marks: Uint8Array, texts: Dictionary, released: Dictionary): number {
  let shown = 0
  for (let id = 0; id < released.size; id++) {
    const found = texts.findBytes(released.bytes(id))
    if (found >= 0) shown += marks[found]
  }
  return shown
}
