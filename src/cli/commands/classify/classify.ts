import type { Command } from "commander"
import { classifyLog, classifyOptions } from "../../../app/classify-log.ts"
import { pickOptions } from "../../../app/options.ts"
import { tableOf } from "../../../kernels/table.ts"
import type { Coverage } from "../../../taxonomy/classify/coverage.ts"
import { bar, percent } from "../../bars.ts"
import { logArgument } from "../../common-flags.ts"
import { defineCommand } from "../../define-command.ts"
import { textTable } from "../../print.ts"
import { evaluateCommand } from "./evaluate.ts"
import { trainCommand } from "./train.ts"

/**
 * `classify LOG`, `classify train LOG` and `classify evaluate`. A log file with one of these names must be given as
 * `./train`.
 */
export function classifyCommand(): Command {
  const command = defineCommand({
    name: "classify",
    summary: "find the topic of every query of a log",
    argument: logArgument,
    flags: classifyOptions,
    async run(session, flags, paths) {
      const classified = await classifyLog(paths, pickOptions(classifyOptions, flags), session.context)
      session.answer("classify", classified)
      session.say(coverageText(classified))
      if (classified.output !== undefined) session.say(`\n${classified.output} (private: it holds the log)`)
      return 0
    },
  })
  // Flags after the name of a subcommand belong to that subcommand.
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
