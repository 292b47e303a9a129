import { cacheBy } from "../../kernels/cache-by.ts"
import { type RunContext, yieldAndReport } from "../../kernels/context.ts"
import { qrelsLine } from "../../kernels/retrieval/trec-format.ts"
import { withoutUsers } from "../../log/filter-log.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { type ClickEdges, edgesOfRows } from "../shown/click-edges.ts"
import { removerOf } from "../shown/leave-out.ts"
import { usersOfFold } from "../split-users.ts"
import { type Comparison, compareSides, type Sides } from "./compare-systems.ts"
import { type FoldTests, gatherTests } from "./fold-tests.ts"
import { judgeSystem, type KeepLines, type System, topicName, trainOn } from "./judge-system.ts"
import type { RetrievalOptions } from "./options.ts"

/**
 * Asks the log and a release of it the same queries, both without and with what the users of the test fold contributed.
 *
 * The first comparison is the paper's cross-validation, as far as a finished release allows. Its names cannot be
 * matched with users, so each edge keeps the share that the other users have of it in the log. The second comparison
 * shows how much it helps to have seen the answers.
 */
export async function compareRetrieval(
  release: ClickEdges,
  { log, keep }: { log: SearchLog; keep?: KeepLines | undefined },
  options: RetrievalOptions,
  context: RunContext,
): Promise<Comparison[]> {
  const { judge, usersOf } = await openFolds({ log, keep }, options, context)
  const without = removerOf(release, log)
  const askLog = async () => ({
    original: await judge(othersOf(log, usersOf)),
    originalSeen: await judge(wholeSystem("original-seen", edgesOfRows(log))),
  })
  return compareSides(
    {
      release: await judge({ name: "release", trainingFor: (fold) => trainOn(without(usersOf(fold))) }),
      releaseSeen: await judge(wholeSystem("release-seen", release)),
      // If the log's runs are to be written to files, they are computed again.
      ...(keep === undefined ? await answersOfLog(log, options, askLog) : await askLog()),
    },
    options,
  )
}

const answersOfLog = cacheBy<SearchLog, Pick<Sides, "original" | "originalSeen">>()

/**
 * The paper's own procedure (§6), which judges a method and not a release. For each fold, `publish` gets the rows of
 * the users outside it and returns the edges of a release of these rows. Nothing has seen the fold, not even the choice
 * of what is released.
 */
export async function crossValidate(
  log: SearchLog,
  publish: (part: SearchLog, fold: number) => Promise<ClickEdges>,
  options: RetrievalOptions,
  context: RunContext,
): Promise<Comparison[]> {
  const { judge, usersOf } = await openFolds({ log }, options, context)
  const trainingFor = async (fold: number) => trainOn(await publish(withoutUsers(log, usersOf(fold)), fold))
  return compareSides(
    { release: await judge({ name: "release", trainingFor }), original: await judge(othersOf(log, usersOf)) },
    options,
  )
}

async function openFolds(
  { log, keep }: { log: SearchLog; keep?: KeepLines | undefined },
  options: RetrievalOptions,
  context: RunContext,
) {
  const { folds, testQueries: queries, draw, foldSeed: seed } = options
  const tests = gatherTests(log, { folds, queries, draw, seed })
  if (keep !== undefined) await keepTests(tests, { log, keep, grades: options.grades })
  await yieldAndReport(context, { stage: "splitting users", done: log.rows, total: log.rows })
  return {
    judge: (system: System) => judgeSystem(system, { log, tests, keep }, options, context),
    usersOf: (fold: number) => usersOfFold(tests.foldOf, fold),
  }
}

/** A system trained on the log's rows of the users outside the fold. */
function othersOf(log: SearchLog, usersOf: (fold: number) => Uint8Array): System {
  const trainingFor = (fold: number) => {
    const marked = usersOf(fold)
    return trainOn(edgesOfRows(log, { takes: (row) => log.user[row] < 0 || marked[log.user[row]] === 0 }))
  }
  return { name: "original", trainingFor }
}

/** A system trained on everything, in every fold. */
function wholeSystem(name: string, edges: ClickEdges): System {
  const training = trainOn(edges)
  return { name, trainingFor: () => training }
}

async function keepTests(
  { folds, asked, judged }: FoldTests,
  { log, keep, grades }: { log: SearchLog; keep: KeepLines; grades: RetrievalOptions["grades"] },
): Promise<void> {
  await keep("topics.tsv", ["topic\tquery"])
  for (let fold = 0; fold < folds; fold++) {
    const [qrels, topics]: [string[], string[]] = [[], []]
    for (let place = 0; place < asked.length; place++) {
      const at = fold * asked.length + place
      const topic = topicName(fold, place)
      if (judged.starts[at] < judged.starts[at + 1]) topics.push(`${topic}\t${log.queries.text(asked[place])}`)
      for (let i = judged.starts[at]; i < judged.starts[at + 1]; i++) {
        const grade = grades === "binary" ? 1 : judged.weights[i]
        qrels.push(qrelsLine({ topic, url: log.urls.text(judged.targets[i]), grade }))
      }
    }
    await keep("topics.tsv", topics)
    await keep("qrels.txt", qrels)
  }
}
