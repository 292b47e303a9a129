// A measure: how many long queries are kept? They say most about what people want, and a release loses them first.
import { registerMeasure, Type } from "queryveil/extend"

registerMeasure({
  name: "long-queries-kept",
  summary: "share of distinct long queries that are in the release",
  options: Type.Object({
    longQueryWords: Type.Integer({ default: 3, minimum: 1, description: "long-queries-kept: words of a long query" }),
  }),
  applies: ({ release }) =>
    release.manifest.guarantee.model === "generalisation" ? "the release has concepts, not queries" : true,
  async run({ release, log }, { longQueryWords }, context) {
    const isLong = (text) => text.split(" ").length >= longQueryWords
    const texts = Array.from({ length: log.queries.size }, (_, id) => log.queries.text(id)).filter(isLong)
    if (texts.length === 0) return [] // nothing to judge: reported as skipped
    const { queries } = await release.log(context)
    const kept = texts.filter((text) => queries.find(text) >= 0).length
    return [{ score: "long-queries-kept", value: kept / texts.length, n: texts.length, baseline: 1, better: "higher" }]
  },
})
