import type { Command } from "commander"
import { Type } from "#typebox"
import { eavesdrop, type Overheard } from "../../../attacks/eavesdropper/eavesdropper.ts"
import { costLayer } from "../../../personal/cost-layer.ts"
import type { ExposureRecord } from "../../../personal/exposure-history.ts"
import { noRisk } from "../../../personal/proxy/exposed.ts"
import { scoresTable } from "../../../study/report/scores-table.ts"
import type { Taxonomy } from "../../../taxonomy/taxonomy.ts"
import { defineCommand } from "../../define-command.ts"
import { textTable } from "../../print.ts"
import { openProfile, profileArgument, profileFlags } from "./open-profile.ts"

/** `personal attack PROFILE` */
export function attackProfileCommand(): Command {
  return defineCommand({
    name: "attack",
    summary: "guess the sensitive topics as each engine could, from all that it was shown",
    argument: profileArgument,
    exits: { 3: "nothing was exposed, or nothing is sensitive" },
    flags: Type.Object({
      games: Type.Integer({ default: 10_000, minimum: 1, description: "repeat the guess this many times" }),
      ...profileFlags.properties,
    }),
    async run(session, flags, [path = ""]) {
      const { taxonomy, file } = await openProfile(path, flags, session)
      const { interests, sensitive, history } = file.store
      const { profile, sensitive: nodes, cost } = costLayer(interests.profile(), sensitive)
      const pairs = Array.from(nodes, (node): [number, number] => [profile.topic[node] ?? 0, cost[node] ?? 0])
      const victim = { taxonomy, sensitive: pairs }
      const engines = [...new Set(history.records.map(({ engine }) => engine))].map((engine) => {
        const records = history.records.filter((record) => record.engine === engine)
        const overheard = records.map((record) => overhear(taxonomy, record))
        const options = { games: flags.games ?? 10_000, random: session.context.random }
        return { engine, scores: eavesdrop(victim, overheard, options) }
      })
      session.answer("personal-attack", { file: path, riskIsCounted: pairs.length > 0, engines })
      if (pairs.length === 0) {
        session.say(`Nothing to recover: ${noRisk}. See queryveil personal mark.`)
        return 3
      }
      for (const { engine, scores } of engines) session.say(`${engine}\n${textTable(scoresTable(scores))}\n`)
      if (engines.length === 0) session.say("Nothing was exposed yet.")
      return engines.length === 0 ? 3 : 0
    },
  })
}

function overhear(taxonomy: Taxonomy, { exposed, relevant }: ExposureRecord): Overheard {
  return {
    shown: exposed.map((path) => taxonomy.find(path)).filter((topic) => topic >= 0),
    relevant: relevant.flatMap(({ path, probability }): [number, number][] => {
      const topic = taxonomy.find(path)
      return topic < 0 ? [] : [[topic, probability]]
    }),
  }
}
