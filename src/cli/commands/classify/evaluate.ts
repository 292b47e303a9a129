import { join } from "node:path"
import { Type } from "#typebox"
import { openTopics, topicOptions } from "../../../app/classify-log.ts"
import { QueryveilError } from "../../../kernels/error.ts"
import { tableOf } from "../../../kernels/table.ts"
import { type Evaluation, evaluateClassifier } from "../../../taxonomy/classify/evaluate.ts"
import { readQueryPaths } from "../../../taxonomy/classify/query-paths.ts"
import { percent } from "../../bars.ts"
import { defineCommand } from "../../define-command.ts"
import { textTable } from "../../print.ts"

/** `classify evaluate --labels FILE | --truth DIR` */
export function evaluateCommand() {
  return defineCommand({
    name: "evaluate",
    summary: "compare a classifier with labels: accuracy by level, and which topics are confused",
    flags: Type.Object({
      labels: Type.Optional(
        Type.String({
          placeholder: "file",
          description: "read lines of query<TAB>path; a path above the topic counts too",
        }),
      ),
      truth: Type.Optional(
        Type.String({ placeholder: "dir", description: "read topics.tsv from the folder of synth --truth" }),
      ),
      ...topicOptions.properties,
      cache: Type.Optional(
        Type.String({ placeholder: "dir", description: "keep WordNet in this folder, so that it opens faster" }),
      ),
    }),
    async run(session, { labels, truth, ...topics }) {
      if ((labels === undefined) === (truth === undefined))
        throw new QueryveilError("usage", "Give either --labels or --truth.", { flag: "--labels" })
      const classifier = await openTopics(topics, session.context)
      const file = labels ?? join(truth ?? "", "topics.tsv")
      const { taxonomy } = classifier
      const repeated = labels === undefined ? "first" : "error"
      const labelled = await readQueryPaths(file, { taxonomy, repeated }, session.context)
      const evaluation = await evaluateClassifier(classifier, labelled, session.context)
      session.answer("classify-evaluate", evaluation)
      session.say(evaluationText(evaluation))
      return 0
    },
  })
}

const mostTaken = 4

function evaluationText({ queries, classified, levels, confusion }: Evaluation): string {
  const share = (part: number, whole: number) => percent(whole === 0 ? 0 : part / whole)
  const rows = levels.map(({ level, queries: total, right }) => [level, total, right, share(right, total)])
  const taken = confusion.map((row) => [
    row.label,
    row.queries,
    share(row.right, row.queries),
    row.taken
      .slice(0, mostTaken)
      .map(({ as, queries: count }) => `${as} ${count}`)
      .join(", "),
  ])
  return [
    `${queries.toLocaleString("en")} labelled queries, ${share(classified, queries).trim()} of them with a topic`,
    textTable(tableOf(["level", "queries", "right", "accuracy"], rows)),
    textTable(tableOf(["label", "queries", "right", "taken for"], taken)),
  ].join("\n\n")
}
