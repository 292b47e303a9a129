import { text } from "node:stream/consumers"
import type { Command } from "commander"
import { Type } from "#typebox"
import { outputOption } from "../../../app/options.ts"
import { writeFileWhole } from "../../../files/write-file.ts"
import { tableOf } from "../../../kernels/table.ts"
import { findRelevant, type QueryMapping } from "../../../personal/map-query.ts"
import { powerWithoutProfile } from "../../../personal/metrics.ts"
import { queryClass } from "../../../personal/query-classes.ts"
import { relevantTopics } from "../../../personal/relevant-topics.ts"
import { topicSearcher } from "../../../taxonomy/classify/topic-searcher.ts"
import { openTaxonomy } from "../../../taxonomy/open-taxonomy.ts"
import { defineCommand } from "../../define-command.ts"
import { textTable } from "../../print.ts"
import { taxonomyFlags } from "../taxonomy/flags.ts"

/** `personal map QUERY` */
export function mapCommand(): Command {
  return defineCommand({
    name: "map",
    summary: "list the topics that a query may mean, and how clear it is by itself",
    argument: {
      syntax: "<query>",
      description: "the query, or - to read it from standard input, which keeps it out of process lists",
    },
    flags: Type.Object({
      output: outputOption("file", 'write {"path": relevance} to this file, for personal expose --topics'),
      ...taxonomyFlags.properties,
    }),
    async run(session, { output, cache, ...flags }, [given = ""]) {
      const query = given === "-" ? (await text(process.stdin)).trim() : given
      const taxonomy = await openTaxonomy(flags.taxonomy, cache === undefined ? {} : { cache }, session.context)
      const { by, pages, relevances } = findRelevant(topicSearcher(taxonomy), query)
      const relevant = relevantTopics(taxonomy, relevances)
      const topics = relevances.map(([topic, relevance], i) => {
        return { path: taxonomy.path(topic), relevance, probability: relevant.probability[i] ?? 0 }
      })
      topics.sort((a, b) => b.relevance - a.relevance)
      const power = powerWithoutProfile(taxonomy, relevant)
      if (output !== undefined) {
        const file = Object.fromEntries(topics.map(({ path, relevance }) => [path, relevance]))
        await writeFileWhole(output, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 })
      }
      session.answer("personal-map", { by, pages, topics, dpWithoutProfile: power, queryClass: queryClass(power) })
      const rows = topics.map(({ path, relevance, probability }) => [
        path,
        by === "pages" ? String(relevance) : relevance.toFixed(4),
        probability.toFixed(4),
      ])
      if (rows.length > 0) session.say(`${textTable(tableOf(["topic", "relevance", "Pr(t | q)"], rows))}\n`)
      session.say(sayHow({ by, pages, relevances }))
      if (rows.length > 0) session.say(`DP of the query alone ${power.toFixed(4)} (${queryClass(power)}).`)
      return 0
    },
  })
}

function sayHow({ by, pages, relevances }: QueryMapping): string {
  if (relevances.length === 0) return "The query retrieves no topic."
  if (by === "names") return "Topics were found by their names and texts. Relevances are shares."
  const found = `Topics were found by ${pages.toLocaleString("en")} pages of the taxonomy.`
  return `${found} The relevance is the number of pages of a topic.`
}
