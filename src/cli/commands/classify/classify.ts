import type { Command } from "commander"
import { Type } from "#typebox"
import { classify } from "../../../app/classify.ts"
import { reserveFile } from "../../../files/reserve.ts"
import { tableOf } from "../../../kernels/table.ts"
import { writeClassified } from "../../../release/write-classified.ts"
import { refusePrivate } from "../../../release/write-release.ts"
import type { Coverage } from "../../../taxonomy/classify/coverage.ts"
import { bar, percent } from "../../bars.ts"
import { logArgument, outputFlag, readFlags } from "../../common-flags.ts"
import { defineCommand } from "../../define-command.ts"
import { textTable } from "../../print.ts"
import { evaluateCommand } from "./evaluate.ts"
import { topicFlags } from "./flags.ts"
import { trainCommand } from "./train.ts"

/** `classify LOG`, `classify train LOG` and `classify evaluate`. A log file of one of these names is given as `./train`. */
export function classifyCommand(): Command {
  const command = defineCommand({
    name: "classify",
    summary: "find the topic of every query of a log",
    argument: logArgument,
    flags: Type.Object({
      output: outputFlag("file", "file for the log's rows with a column for the topic (private)"),
      ...topicFlags.properties,
      force: Type.Boolean({ default: false, description: "replace a file that is already there" }),
      ...readFlags.properties,
    }),
    async run(session, { output, force = false, taxonomy, classifier, ...read }, paths) {
      if (output !== undefined) {
        await refusePrivate(output)
        await reserveFile(output, { force })
      }
      const topics = { taxonomy, classifier, cache: read.cache, warn: (text: string) => session.warn(text) }
      const readLog = async () => (await session.readLog(paths, read)).log
      const { coverage, ...classified } = await classify(readLog, topics, session.context)
      if (output !== undefined) await writeClassified(output, classified, session.context)
      session.answer({ ...coverage, ...(output && { output }) })
      session.say(coverageText(coverage))
      if (output !== undefined) session.say(`\n${output} (private: it holds the log)`)
      return 0
    },
  })
  // Flags behind the name of a command below are that command's own.
  return command.enablePositionalOptions().addCommand(trainCommand()).addCommand(evaluateCommand())
}

const barWidth = 30

function coverageText({ events, queries, classified, unclassified, depths, topics }: Coverage): string {
  const share = (part: number, whole: number) => percent(whole === 0 ? 0 : part / whole)
  const sums = [
    [
      "classified",
      classified.events,
      share(classified.events, events),
      classified.queries,
      share(classified.queries, queries),
    ],
    [
      "no topic",
      unclassified.events,
      share(unclassified.events, events),
      unclassified.queries,
      share(unclassified.queries, queries),
    ],
  ]
  const widest = Math.max(1, ...topics.map((topic) => topic.events))
  return [
    textTable(tableOf(["", "events", "share", "queries", "share"], sums)),
    textTable(
      tableOf(
        ["level", "events", "share"],
        depths.map((level) => [level.depth, level.events, share(level.events, classified.events)]),
      ),
    ),
    textTable(
      tableOf(
        ["topic", "events", "share", ""],
        topics.map((topic) => [
          topic.path,
          topic.events,
          share(topic.events, events),
          bar(topic.events / widest, barWidth),
        ]),
      ),
    ),
  ].join("\n\n")
}
