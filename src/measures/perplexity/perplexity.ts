import { type Static, Type } from "#typebox"
import { cacheBy } from "../../kernels/cache-by.ts"
import type { RunContext } from "../../kernels/context.ts"
import { tableOf } from "../../kernels/table.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { hasQueries, type ReleaseProbe } from "../../probes/probe.ts"
import { tokeniseQueries } from "../../text/tokens.ts"
import { queriesOfRows, shownQueries, textRemoverOf } from "../shown/shown-texts.ts"
import { foldOptions, splitUsers, usersOfFold } from "../split-users.ts"
import { drawHeldOut } from "./held-out.ts"
import { type Prediction, predictQueries, type Task, wordsOf } from "./predict-queries.ts"
import { chooseVocabulary, classRuns } from "./vocabulary.ts"

const options = Type.Object({
  ...foldOptions.properties,
  perplexityQueries: Type.Integer({
    default: 5000,
    minimum: 1,
    maximum: 100_000_000,
    description: "predict this many searches with a language model of the release",
  }),
})

/**
 * How well a language model of the release's queries predicts what other people search for: the perplexity of held-out
 * searches, next to that of a model of the log. Both models exclude what the users of the test fold contributed;
 * docs/methods/usefulness.md.
 */
export const perplexity: ReleaseProbe<typeof options> = {
  name: "perplexity",
  looksAt: "any",
  summary:
    "how well a language model of the release predicts the queries of users left out, compared with one of the log",
  options,
  applies: (subject) =>
    subject.log.users.size === 0 ? "the log has no users to split into folds" : hasQueries(subject),
  async run({ release, log }, values, context) {
    const { task, foldOf, original } = await predictFromLog(log, values, context)
    const shown = await shownQueries(release, context)
    const runs = classRuns(await tokeniseQueries(shown.texts, {}, context), task.vocabulary)
    const without = textRemoverOf(shown, log)
    const weightsFor = (fold: number) => without(usersOfFold(foldOf, fold))
    const { perplexity: value, interval, trust } = await predictQueries({ runs, weightsFor }, task, context)
    const baseline = original.perplexity
    const series = tableOf(
      ["model", "perplexity", "trust"],
      [
        ["release", value, trust],
        ["log", baseline, original.trust],
        ["no texts", wordsOf(task.vocabulary), 0],
      ],
    )
    const n = task.heldOut.query.length
    return [{ score: "perplexity", value, n, baseline, better: "lower", ...(interval && { interval }), series }]
  },
}

interface LogPrediction {
  task: Task
  foldOf: Uint8Array
  original: Prediction
}

const logPredictions = cacheBy<SearchLog, LogPrediction>()

/** The task that every release of a log gets, and the result of the log itself. */
function predictFromLog(log: SearchLog, values: Static<typeof options>, context: RunContext): Promise<LogPrediction> {
  const { folds, foldSeed: seed, perplexityQueries: most } = values
  return logPredictions(log, [folds, seed, most], async () => {
    const foldOf = splitUsers(log, { folds, seed })
    const tokenised = await tokeniseQueries(log.queries, {}, context)
    const vocabulary = chooseVocabulary(log, tokenised)
    const runs = classRuns(tokenised, vocabulary)
    const task = { folds, vocabulary, runs, heldOut: drawHeldOut(log, { foldOf, most, seed }) }
    const without = textRemoverOf(queriesOfRows(log), log)
    const weightsFor = (fold: number) => without(usersOfFold(foldOf, fold))
    return { task, foldOf, original: await predictQueries({ runs, weightsFor }, task, context) }
  })
}
