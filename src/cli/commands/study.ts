import { join } from "node:path"
import { Command } from "commander"
import { Type, Value } from "#typebox"
import { readQueryList } from "../../release/labels.ts"
import { studies } from "../../study/registry.ts"
import { computeStudy, writeStudy } from "../../study/run-study.ts"
import type { Study } from "../../study/study.ts"
import { withStudyFolder } from "../../study/study-folder.ts"
import { completeStudyOptions } from "../../study/study-options.ts"
import { labelsFlag, logArgument, outputFlag, readFlags, truthFlag } from "../common-flags.ts"
import { defineCommand } from "../define-command.ts"
import { readFileFlags } from "../file-flags.ts"
import { fingerprintInput } from "../fingerprint-input.ts"
import { type Given, required } from "../flags.ts"

const studyFlags = Type.Object({
  output: outputFlag("dir", "folder of the study; points that are in it are not computed again"),
  truth: truthFlag,
  seed: Type.Integer({ default: 1, minimum: 0, description: "the same seed draws the same numbers" }),
  ...readFlags.properties,
})

/** For studies that have the paper's values. */
const presetFlag = Type.Object({
  preset: Type.Optional(Type.Enum(["paper"], { description: "take the defaults of the rules from the paper" })),
})

const fileFlags = Type.Object({
  labels: labelsFlag,
  queries: Type.Optional(
    Type.String({ placeholder: "file", description: "queries to show by their text, one a line (private)" }),
  ),
})

/** `study NAME LOG -o DIR`: one subcommand for each study. */
export function studyCommand(): Command {
  const command = new Command("study").description("run a grid of methods and parameters with probes, and draw it")
  for (const study of studies) command.addCommand(oneStudy(study))
  return command
}

function oneStudy(study: Study): Command {
  const files = Object.fromEntries((study.reads ?? []).map((name) => [name, fileFlags.properties[name]]))
  return defineCommand({
    name: study.name,
    summary: study.summary,
    argument: logArgument,
    flags: Type.Object({
      ...study.options.properties,
      ...(study.paper === undefined ? {} : presetFlag.properties),
      ...files,
      ...studyFlags.properties,
    }),
    async run(session, given, paths) {
      const flags = given as Given<typeof studyFlags> & Given<typeof fileFlags> & Given<typeof presetFlag>
      const folder = required(flags.output, "output")
      const chosen = await readFileFlags(study.options, Value.Clean(study.options, { ...given }) as object)
      const options = completeStudyOptions(study, chosen, flags.preset)
      study.points(options) // what cannot be done is said before the log is read
      const planted = await session.readTruth(flags.truth)
      const { labels } = await session.readLabels(flags.labels)
      const queries = flags.queries === undefined ? undefined : await readQueryList(flags.queries)
      const { computed, reused } = await withStudyFolder(folder, async (held) => {
        const read = await session.readLog(paths, flags)
        const truth = session.fitTruth(planted, read)
        const beside = { ...truth, ...(labels && { labels }), ...(queries && { queries }) }
        const input = fingerprintInput(read, beside)
        const run = { study, options, seed: flags.seed ?? 1, input, subject: { ...read, ...beside } }
        const outcome = await computeStudy(held, run, session.context)
        await writeStudy(held, run, outcome.results)
        return outcome
      })
      const index = join(folder, "index.html")
      session.answer({ folder, index, computed, reused })
      session.say(`${computed} points computed, ${reused} taken from an earlier run.`)
      session.say(`${index} (private: it describes the log)`)
      return 0
    },
  })
}
