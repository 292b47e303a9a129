import { Command } from "commander"
import { Type } from "#typebox"
import { pickOptions } from "../../app/options.ts"
import { studyFiles, studyLog, studyLogOptions, studyOptions, studyPreset } from "../../app/study-log.ts"
import { studies } from "../../study/registry.ts"
import type { Study } from "../../study/study.ts"
import { logArgument } from "../common-flags.ts"
import { defineCommand } from "../define-command.ts"
import { readFileFlags } from "../file-flags.ts"
import { type Given, required } from "../flags.ts"

/** `study NAME LOG -o DIR`: one subcommand for each study. */
export function studyCommand(): Command {
  const command = new Command("study").description(
    "try methods over a grid of parameters, attack and measure each release, and draw figures",
  )
  for (const study of studies) command.addCommand(oneStudy(study))
  return command
}

function oneStudy(study: Study): Command {
  const files = Object.fromEntries((study.reads ?? []).map((name) => [name, studyFiles.properties[name]]))
  return defineCommand({
    name: study.name,
    summary: study.summary,
    argument: logArgument,
    flags: Type.Object({
      ...study.options.properties,
      ...(study.paper === undefined ? {} : studyPreset.properties),
      ...files,
      ...studyOptions.properties,
    }),
    async run(session, given, paths) {
      const output = required((given as Given<typeof studyOptions>).output, "output")
      const values = await readFileFlags(study.options, pickOptions(study.options, given))
      const options = { ...pickOptions(studyLogOptions, given), output, values }
      const { results: _points, ...answer } = await studyLog(study.name, paths, options, session.context)
      const { index, computed, reused } = answer
      session.answer("study", answer)
      session.say(`${computed} points computed, ${reused} taken from an earlier run.`)
      session.say(`${index} (private: it describes the log)`)
      return 0
    },
  })
}
