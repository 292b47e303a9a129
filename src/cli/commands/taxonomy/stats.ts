import { tableOf } from "../../../kernels/table.ts"
import { openTaxonomy } from "../../../taxonomy/open-taxonomy.ts"
import { taxonomyStats } from "../../../taxonomy/stats.ts"
import { defineCommand } from "../../define-command.ts"
import { textTable } from "../../print.ts"
import { taxonomyFlags } from "./flags.ts"

/** `taxonomy stats [--taxonomy FILE|wordnet]` */
export function statsCommand() {
  return defineCommand({
    name: "stats",
    summary: "count topics per level",
    flags: taxonomyFlags,
    async run(session, { taxonomy: choice, cache }) {
      const taxonomy = await openTaxonomy(choice, cache === undefined ? {} : { cache }, session.context)
      const stats = taxonomyStats(taxonomy)
      session.answer("taxonomy-stats", stats)
      const rows = stats.levels.map(({ level, topics, total, leaves, meanChildren, support }) => [
        level,
        topics,
        total,
        leaves,
        Number(meanChildren.toFixed(2)),
        support,
      ])
      session.say(textTable(tableOf(["level", "topics", "total", "leaves", "mean children", "support"], rows)))
      const number = (value: number) => value.toLocaleString("en")
      const mean = stats.meanChildren.toFixed(2)
      session.say(`\n${number(stats.topics)} topics, ${number(stats.leaves)} of them leaves.`)
      session.say(`A topic with children has ${mean} on average.`)
      session.say(`Support ${number(stats.support)}; ${number(stats.unsupported)} topics have none.`)
      return 0
    },
  })
}
